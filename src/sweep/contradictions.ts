import { countErrors } from '../probe/load/pool-load.ts';
import { mostUsers } from '../probe/users/users-at.ts';
import type { SweepResult, SweepRow } from './sweep-result.ts';

/**
 * What cannot be, whatever the application does: a part that is more than its whole, more clients out than there are, more requests than
 * the users can send. Whole sentences, none of a sound result. They show that a figure is of other requests than the one beside it.
 */
export function findContradictions(
  result: Pick<SweepResult, 'rows' | 'load' | 'machine'>,
): readonly string[] {
  return result.rows.flatMap((row) =>
    laws.flatMap((law) => {
      const broken = law(row, result);
      return broken === null
        ? []
        : [`These figures of max ${row.max} do not fit together: ${broken}.`];
    }),
  );
}

/** Null where it holds, or where what it needs is not known. */
type Law = (row: SweepRow, result: Pick<SweepResult, 'load' | 'machine'>) => string | null;

const laws: readonly Law[] = [
  littlesLaw,
  closedLoop,
  waitIsPartOfAnswer,
  percentilesRise,
  coresAreThere,
  activeAreSessions,
];

/** Clocks of two processes, and times that are right to 0.8 %. */
const tolerance = 0.02;
/** A load ends with its last answer, and a client may come back a moment later. */
const lateMs = 100;

/** The clients that are out, on average: as many as come and go in a second, times how long each is out. Null without a monitor. */
export function clientsOut({ checkouts, holdMs, seconds }: SweepRow): number | null {
  return checkouts === null || holdMs === null || seconds === 0
    ? null
    : (checkouts * holdMs) / 1_000 / seconds;
}

/** Whether each request took one client, so that its wait is a part of its answer. Failed ones are in the waits, and not in the answers. */
export function takesOneClient({ checkouts, requests, passes, errors }: SweepRow): boolean {
  return (
    checkouts !== null &&
    countErrors(errors) === 0 &&
    Math.abs(checkouts - requests) * passes.length < Math.max(1, 0.01 * requests * passes.length)
  );
}

function littlesLaw(row: SweepRow): string | null {
  const out = clientsOut(row);
  const open = row.peakTotal === null ? null : Math.max(row.peakTotal, row.seenMax ?? 0);
  if (out === null || open === null) return null;
  return out > open * (1 + tolerance + lateMs / 1_000 / row.seconds)
    ? `${figure((row.checkouts ?? 0) / row.seconds)} checkouts/s that take ${figure(row.holdMs)} ms each keep ${figure(out)} clients busy, and ${open} were open`
    : null;
}

function closedLoop(
  { throughput, latency, seconds, errors }: SweepRow,
  { load: { stages, thinkMs } }: Pick<SweepResult, 'load'>,
): string | null {
  if (latency === null || seconds === 0 || countErrors(errors) > 0) return null;
  const busy = (throughput * (latency.averageMs + thinkMs)) / 1_000;
  const users = mostUsers(stages);
  // Pauses that the end of the load cut short.
  return busy > users * (1 + tolerance + (thinkMs + lateMs) / 1_000 / seconds)
    ? `${figure(throughput)} requests/s that take ${figure(latency.averageMs)} ms, with pauses of ${figure(thinkMs)} ms, need ${figure(busy)} users, and there were ${users}`
    : null;
}

function waitIsPartOfAnswer(row: SweepRow): string | null {
  const { latency, waitMs, waitP95Ms } = row;
  if (latency === null || !takesOneClient(row)) return null;
  const isMore = (part: number | null, whole: number | null) =>
    part !== null && whole !== null && part > whole * (1 + tolerance) + 1;
  if (isMore(waitMs, latency.averageMs))
    return `a wait of ${figure(waitMs)} ms is more than the answer of ${figure(latency.averageMs)} ms that it is a part of`;
  return isMore(waitP95Ms, latency.p95Ms)
    ? `95 % of the waits are below ${figure(waitP95Ms)} ms, and 95 % of the answers, of which they are a part, below ${figure(latency.p95Ms)} ms`
    : null;
}

function percentilesRise({ latency }: SweepRow): string | null {
  if (latency === null) return null;
  const rising = [latency.p50Ms, latency.p95Ms, latency.p99Ms, latency.maxMs].filter(
    (each) => each !== null,
  );
  const isRising = rising.every((each, index) => each >= (rising[index - 1] ?? 0) - 1e-6);
  return isRising && latency.averageMs <= latency.maxMs + 1e-6
    ? null
    : `the times ${rising.map(figure).join(', ')} ms (p50 to the longest) do not rise`;
}

/** What the kernel counts is in hundredths of a second. */
const ticks = 0.05;

function coresAreThere(
  { appCores, busiestCores, idleCores }: SweepRow,
  { machine: { cores } }: Pick<SweepResult, 'machine'>,
): string | null {
  if ((busiestCores ?? 0) > (appCores ?? cores) + ticks)
    return `its busiest process used ${figure(busiestCores)} cores, and the whole application ${figure(appCores)}`;
  return (appCores ?? 0) + (idleCores ?? 0) > cores * (1 + ticks) + ticks
    ? `${figure(appCores)} cores in use and ${figure(idleCores)} idle are more than ${cores}`
    : null;
}

function activeAreSessions({ averageActive, peakSessions }: SweepRow): string | null {
  return averageActive !== null && peakSessions !== null && averageActive > peakSessions
    ? `${figure(averageActive)} sessions ran a statement on average, of ${peakSessions} at most`
    : null;
}

function figure(value: number | null): string {
  const known = value ?? 0;
  return known >= 100 ? known.toFixed(0) : String(Number(known.toPrecision(3)));
}
