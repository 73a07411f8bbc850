import { scaleLinear, scaleLog } from 'd3-scale';
import type { Axis } from '../report.ts';

/** From a value to a place in the drawing, and which values are labelled. */
export interface Scale {
  readonly place: (value: number) => number;
  readonly ticks: readonly number[];
}

/** Some air around the outermost values of a logarithmic axis. */
const logAir = 1.12;

export function horizontalScale(
  { scale, ticks }: Axis,
  values: readonly number[],
  range: readonly [number, number],
): Scale {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (scale === 'log') {
    const placed = scaleLog([least / logAir, most * logAir], range).base(2);
    return { place: placed, ticks: ticks ?? placed.ticks(6) };
  }
  const placed = scaleLinear([least, most === least ? least + 1 : most], range);
  return { place: placed, ticks: ticks ?? placed.ticks(8) };
}

/** A linear axis begins at 0: a curve that is cut off below looks steeper than it is. */
export function verticalScale(
  { scale }: Axis,
  values: readonly number[],
  range: readonly [number, number],
): Scale {
  const most = Math.max(...values, Number.MIN_VALUE);
  if (scale === 'log') {
    const least = Math.max(
      Math.min(...values.filter((value) => value > 0), most),
      Number.MIN_VALUE,
    );
    const placed = scaleLog([least / 1.5, most * 1.5], range);
    const ticks = placed.ticks();
    return {
      place: (value) => placed(Math.max(value, least / 1.5)),
      ticks: ticks.length > 8 ? ticks.filter(isRound) : ticks,
    };
  }
  const placed = scaleLinear([0, most], range).nice(5);
  return { place: placed, ticks: placed.ticks(5) };
}

/** 1, 2 and 5 and their multiples by ten. */
function isRound(value: number): boolean {
  return [1, 2, 5].includes(Math.round(value / 10 ** Math.floor(Math.log10(value) + 1e-9)));
}

/** Values whose labels would touch that of the one before are left out. */
export function thinTicks({ ticks, place }: Scale, room: number): readonly number[] {
  return [...ticks]
    .sort((a, b) => a - b)
    .reduce<readonly number[]>((kept, value) => {
      const previous = kept.at(-1);
      return previous === undefined || place(value) - place(previous) >= room
        ? [...kept, value]
        : kept;
    }, []);
}
