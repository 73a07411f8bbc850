import { addErrors, type Latency } from '../probe/load/pool-load.ts';
import { toLatency } from '../probe/load/recorder.ts';
import { mergeDistributions, mergeLatencies } from './merge-times.ts';
import type { Turn } from './measure-turn.ts';
import type { SweepRow } from './sweep-result.ts';

/** Rows by rising size, each of all its turns. */
export function toRows(turns: readonly Turn[]): readonly SweepRow[] {
  const sizes = [...new Set(turns.map(({ max }) => max))].sort((one, other) => one - other);
  const rows = sizes.map((max) =>
    toRow(
      max,
      turns.filter((turn) => turn.max === max),
    ),
  );
  const first = rows[0]?.requests ?? 0;
  return rows.map((row, index) => {
    const before = rows[index - 1];
    if (before === undefined) return row;
    return {
      ...row,
      gain: first === 0 ? null : row.requests / first - 1,
      gainPerConnection: (row.requests - before.requests) / (row.max - before.max),
    };
  });
}

function toRow(max: number, turns: readonly Turn[]): SweepRow {
  const passes = turns.map(({ load }) => load.requests);
  const seconds = mean(turns.map(({ load }) => load.seconds)) ?? 0;
  const requests = mean(passes) ?? 0;
  const sessions = turns.flatMap((turn) => turn.sessions);
  return {
    max,
    seenMax: turns.map(({ pools }) => pools.max).find((each) => each !== null) ?? null,
    peakTotal: most(turns.map(({ pools }) => pools.peakTotal)),
    requests,
    passes,
    seconds,
    throughput: seconds === 0 ? 0 : requests / seconds,
    latency: latencyOf(turns),
    ...checkoutsOf(turns),
    peakWaiting: most(turns.map(({ pools }) => pools.peakWaiting)),
    peakSessions: most(sessions.map((each) => each.sessions)),
    averageActive: mean(sessions.map(({ active }) => active)),
    errors: addErrors(turns.map(({ load }) => load.errors)),
    appCores: mean(known(turns.map(({ appCores }) => appCores))),
    busiestCores: mean(known(turns.map(({ busiestCores }) => busiestCores))),
    idleCores: mean(known(turns.map(({ idleCores }) => idleCores))),
    generator: {
      busy: mean(known(turns.map(({ load }) => load.generator.busy))),
      lagP99Ms: most(turns.map(({ load }) => load.generator.lagP99Ms)),
      dropped: turns.reduce((total, { load }) => total + load.generator.dropped, 0),
    },
    gain: null,
    gainPerConnection: null,
    samples: turns[0]?.samples ?? [],
  };
}

/** Of all checkouts of all turns. One turn of which they are not known would leave its requests without their waits. */
function checkoutsOf(
  turns: readonly Turn[],
): Pick<SweepRow, 'checkouts' | 'waitMs' | 'waitP95Ms' | 'holdMs'> {
  if (!turns.every(({ pools: { isWhole, pools } }) => isWhole && pools > 0))
    return { checkouts: null, waitMs: null, waitP95Ms: null, holdMs: null };
  const wait = mergeDistributions(turns.flatMap(({ pools }) => pools.waits));
  const hold = mergeDistributions(turns.flatMap(({ pools }) => pools.holds));
  return {
    checkouts: (hold?.count ?? 0) / turns.length,
    waitMs: wait?.averageMs ?? null,
    waitP95Ms: wait?.p95Ms ?? null,
    holdMs: hold?.averageMs ?? null,
  };
}

/** Of all requests of all turns together. */
function latencyOf(turns: readonly Turn[]): Latency | null {
  const times = turns.flatMap(({ load }) => (load.times === null ? [] : [load.times]));
  return times.length === turns.length
    ? toLatency(times.flat())
    : mergeLatencies(turns.flatMap(({ load }) => load.latency ?? []));
}

function mean(values: readonly number[]): number | null {
  return values.length === 0
    ? null
    : values.reduce((total, value) => total + value, 0) / values.length;
}

function most(values: readonly (number | null)[]): number | null {
  const all = known(values);
  return all.length === 0 ? null : Math.max(...all);
}

function known(values: readonly (number | null)[]): readonly number[] {
  return values.filter((value) => value !== null);
}
