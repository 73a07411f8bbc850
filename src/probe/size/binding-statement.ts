import type { WorkloadSummary } from '../result-head.ts';
import { milliseconds, share } from '../verdict-words.ts';
import { excerpt } from '../workload/ready-statements.ts';
import type { StatementTimes } from './lanes.ts';
import type { StatementLoad, StatementLoads, VerdictKind } from './size-result.ts';

/** With fewer runs a mean says little. */
const fewestRuns = 5;
/** Less queueing than this share of the time is no queue. */
const leastQueue = 0.1;

interface Ran {
  readonly aloneMs: number | null;
  readonly completed: number;
  readonly totalMs: number;
  /** Beyond what as many runs take alone. */
  readonly queuedMs: number;
}

/** Null for a single statement, which needs no comparison, and where times were not taken. */
export function findStatementLoads(
  times: readonly StatementTimes[],
  pick: number,
  {
    kind,
    statements,
  }: { readonly kind: VerdictKind; readonly statements: WorkloadSummary['statements'] },
): StatementLoads | null {
  const bySize = [...times].sort((one, other) => one.size - other.size);
  const [smallest] = bySize;
  if (statements.length < 2 || smallest === undefined) return null;
  const beyond = bySize.filter(({ size }) => size >= pick);
  const ran = statements.map((_, at) => runsOf(at, smallest, beyond));
  const [total, queued] = [
    sum(ran, ({ totalMs }) => totalMs),
    sum(ran, ({ queuedMs }) => queuedMs),
  ];
  if (total === 0) return null;
  const loads = ran.map(({ aloneMs, completed, totalMs, queuedMs }): StatementLoad => ({
    aloneMs,
    meanMs: completed < fewestRuns ? null : totalMs / completed,
    timeShare: totalMs / total,
    queueShare: queued === 0 ? 0 : queuedMs / queued,
  }));
  const by = weighBy(kind, queued / total);
  const at = by === null ? -1 : indexOfMost(loads.map((load) => load[by]));
  const [load, statement] = [loads[at], statements[at]];
  return {
    alone: smallest.size,
    from: pick,
    statements: loads,
    binding:
      by === null || load === undefined || statement === undefined
        ? null
        : { at, because: `${excerpt(statement.text)} ${describe(by, load, { kind, pick })}` },
  };
}

function runsOf(at: number, alone: StatementTimes, beyond: readonly StatementTimes[]): Ran {
  const first = alone.statements[at];
  const aloneMs =
    first === undefined || first.completed < fewestRuns ? null : first.totalMs / first.completed;
  const own = beyond.flatMap(({ statements }) => statements[at] ?? []);
  const completed = sum(own, (each) => each.completed);
  const totalMs = sum(own, (each) => each.totalMs);
  const queuedMs = aloneMs === null ? 0 : Math.max(0, totalMs - completed * aloneMs);
  return { aloneMs, completed, totalMs, queuedMs };
}

type Weight = 'timeShare' | 'queueShare';

/** What names the statement, by the kind of limit. A full client and an unsaturated server are no statement's doing; a pooler's queue is everybody's, and whoever keeps its connections busy fills it. */
function weighBy(kind: VerdictKind, queued: number): Weight | null {
  switch (kind) {
    case 'client-bound':
    case 'not-saturated':
    case 'too-noisy':
      return null;
    case 'pooler-bound':
      return 'timeShare';
    case 'found':
    case 'host-bound':
    case 'lock-bound':
      return queued < leastQueue ? 'timeShare' : 'queueShare';
  }
}

function describe(
  by: Weight,
  { aloneMs, meanMs, timeShare, queueShare }: StatementLoad,
  { kind, pick }: { readonly kind: VerdictKind; readonly pick: number },
): string {
  const what =
    by === 'timeShare'
      ? `it keeps connections busy for ${share(timeShare)} of their time`
      : `${share(queueShare)} of the time that statements spend ${kind === 'lock-bound' ? 'waiting for locks' : 'queueing'} is its own`;
  const means =
    aloneMs === null || meanMs === null
      ? ''
      : ` (mean ${milliseconds(aloneMs)} alone, ${milliseconds(meanMs)} with ${pick} clients and more)`;
  return `limits the pool size: ${what}${means}.`;
}

function indexOfMost(values: readonly number[]): number {
  return values.indexOf(Math.max(...values));
}

function sum<Item>(items: readonly Item[], read: (item: Item) => number): number {
  return items.reduce((total, item) => total + read(item), 0);
}
