import { addErrors, type Latency } from '../probe/load/pool-load.ts';
import type { Turn } from './measure-turn.ts';
import type { SweepRow } from './sweep-result.ts';
import type { MergedTimes } from './watch/pool-watch.ts';

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
  const merged = (of: (turn: Turn) => MergedTimes | null) =>
    turns.flatMap((turn) => of(turn) ?? []);
  return {
    max,
    seenMax: turns.map(({ pools }) => pools.max).find((each) => each !== null) ?? null,
    peakTotal: most(turns.map(({ pools }) => pools.peakTotal)),
    requests,
    passes,
    seconds,
    throughput: seconds === 0 ? 0 : requests / seconds,
    latency: mergeLatencies(turns.flatMap(({ load }) => load.latency ?? [])),
    waitMs: mean(merged(({ pools }) => pools.wait).map(({ averageMs }) => averageMs)),
    waitP95Ms: mean(merged(({ pools }) => pools.wait).map(({ p95Ms }) => p95Ms)),
    holdMs: mean(merged(({ pools }) => pools.hold).map(({ averageMs }) => averageMs)),
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

/** Of several passes: counts and averages exactly, percentiles as the mean of theirs. */
function mergeLatencies(all: readonly Latency[]): Latency | null {
  const count = all.reduce((total, latency) => total + latency.count, 0);
  if (count === 0) return null;
  const percentile = (of: (latency: Latency) => number | null) =>
    all.every((latency) => of(latency) !== null) ? mean(known(all.map(of))) : null;
  return {
    count,
    averageMs: all.reduce((total, latency) => total + latency.averageMs * latency.count, 0) / count,
    p50Ms: mean(all.map(({ p50Ms }) => p50Ms)) ?? 0,
    p95Ms: percentile(({ p95Ms }) => p95Ms),
    p99Ms: percentile(({ p99Ms }) => p99Ms),
    maxMs: Math.max(...all.map(({ maxMs }) => maxMs)),
  };
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
