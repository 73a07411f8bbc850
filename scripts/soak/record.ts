import type { Series, SeriesKind } from './judge.ts';

/** Collects what is looked at, a series a name, in the order in which the names came up. */
export interface Recording {
  note(name: string, kind: SeriesKind, value: number): void;
  series(): readonly Series[];
}

/** `elapsed` tells the seconds since the soak began. */
export function createRecording(elapsed: () => number): Recording {
  const all = new Map<
    string,
    {
      readonly name: string;
      readonly kind: SeriesKind;
      readonly points: { at: number; value: number }[];
    }
  >();
  return {
    note(name, kind, value) {
      const series = all.get(name) ?? { name, kind, points: [] };
      series.points.push({ at: elapsed(), value });
      all.set(name, series);
    },
    series: () => [...all.values()],
  };
}
