import { readBackendMemory } from '../../database/backend-memory.ts';
import { mostAnswerBytes } from '../../database/session-limits.ts';
import { connectSession } from '../../database/connect.ts';
import { cancelOwnStatements } from '../../database/probe-server.ts';
import type { DatabaseFailure } from '../../database/failure-row.ts';
import type { Asker, DatabaseSession } from '../../database/session.ts';
import type { TransactionTally } from '../../database/transaction-tally.ts';
import { isLoopback } from '../../database/target.ts';
import { toShortText } from '../../activity/plain-text.ts';
import { judgeWorkload } from '../calls/judge-workload.ts';
import type { ProbeEnvironment } from '../probe-environment.ts';
import { refuse, type Refusal } from '../refusal.ts';
import type { CommonRequest } from '../request.ts';
import type { BackendMemory } from '../result-head.ts';
import { toProbeLimits } from '../safety/probe-limits.ts';
import { toDrawn } from './draw-statement.ts';
import type { ReadyStatement } from './ready-statements.ts';

/** What a trial needs of the process that it runs in. */
export type TrialEnvironment = Pick<
  ProbeEnvironment,
  'clock' | 'random' | 'signal' | 'probeId' | 'onBreach'
>;

export interface TrialOptions extends TrialEnvironment {
  readonly request: Pick<CommonRequest, 'target' | 'secret' | 'max' | 'dryRun' | 'allowFunctions'>;
  /** As of `JudgeOptions`. */
  readonly leavesOutOf: string | null;
  /** Counts the transactions of the statements. */
  readonly tally: TransactionTally;
  /** Cancels what still runs when the trial is over. */
  readonly observer: Asker & Pick<DatabaseSession, 'startup'>;
}

export type TrialAnswer =
  | Refusal
  | {
      readonly kind: 'timed';
      /** Those that may be run. */
      readonly statements: readonly ReadyStatement[];
      /** What they call that PostgreSQL does not bring, a line each. */
      readonly calls: readonly string[];
      /** Of each statement, in milliseconds; null in a dry run. */
      readonly meansMs: readonly number[] | null;
      readonly notes: readonly string[];
      /** Of the backend that ran them, as those of the application do. */
      readonly memory: BackendMemory | null;
    };

type Timed = Pick<Exclude<TrialAnswer, Refusal>, 'kind' | 'meansMs' | 'notes' | 'memory'>;

/** The first run of a statement may find cold caches. Before PostgreSQL 14 a server goes on with it for this long when this process is killed. */
const longestRunMs = 4500;
/** For one run of each statement. */
const longestTrialMs = 10_000;
/** What all connections together may hold at once. */
const mostBytesAtOnce = 512_000_000;
const wideAnswerBytes = 1_000_000;
/** For all statements together, after the first run of each. */
const timedMs = 300;

/**
 * Opens a session that has the search path of the application, for as long as it is used. Leaves neither connection nor running statement.
 */
export async function withTrialSession<Answer>(
  options: TrialOptions,
  use: (session: DatabaseSession) => Promise<Answer | Refusal>,
): Promise<Answer | Refusal> {
  const { request, observer, signal } = options;
  const answer = await connectSession(request.target, request.secret, {
    ...toProbeLimits(options, longestRunMs),
    startup: observer.startup,
    tally: options.tally,
  });
  if (answer.kind === 'failed') return refuse(answer.failure.sentence);
  const { session } = answer;
  const stop = () => void cancelOwnStatements(observer).then(() => session.close());
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await use(session);
  } finally {
    signal.removeEventListener('abort', stop);
    // The server may still send to a connection that was cut off in the middle of an answer.
    if (session.isLost) await cancelOwnStatements(observer);
    await session.close();
  }
}

/**
 * Judges what every statement calls, then runs it: once to plan it and to fill the caches, then often enough for a mean; a dry run
 * judges alone. A statement that calls what it must not, fails, takes too long or answers without end is refused with what to do instead.
 */
export async function tryStatements(
  session: DatabaseSession,
  given: readonly ReadyStatement[],
  options: TrialOptions,
): Promise<TrialAnswer> {
  const { allowFunctions, dryRun } = options.request;
  const judged = await judgeWorkload(session, given, {
    allowFunctions,
    leavesOutOf: options.leavesOutOf,
  });
  if (judged.kind === 'refused') return judged;
  const { statements, calls, notes } = judged;
  if (dryRun) return { kind: 'timed', statements, calls, meansMs: null, notes, memory: null };
  const timed = await timeAll(session, statements, options);
  return timed.kind === 'refused'
    ? timed
    : { ...timed, statements, calls, notes: [...notes, ...timed.notes] };
}

async function timeAll(
  session: DatabaseSession,
  statements: readonly ReadyStatement[],
  options: TrialOptions,
): Promise<Refusal | Timed> {
  const { clock, request } = options;
  const began = clock.now();
  const notes: string[] = [];
  for (const [at, statement] of statements.entries()) {
    const refused = await run(session, statement, at, options);
    if (refused !== null) return refused;
    const bytes = session.answerBytes;
    if (bytes * request.max > mostBytesAtOnce)
      return refuse(describeTooWide(statement, bytes, request.max));
    if (bytes > wideAnswerBytes) notes.push(describeWide(statement, bytes));
    if (clock.now() - began > longestTrialMs)
      return refuse(
        `One run of each of the first ${at + 1} statements took ${Math.round((clock.now() - began) / 1000)} s together: too long to compare pool sizes within seconds. Probe the slow ones separately.`,
      );
  }
  const meansMs: number[] = [];
  for (const [at, statement] of statements.entries()) {
    const mean = await timeOne(session, statement, at, timedMs / statements.length, options);
    if (typeof mean !== 'number') return mean;
    meansMs.push(mean);
  }
  await session.settle();
  return {
    kind: 'timed',
    meansMs,
    notes,
    memory: await readBackendMemory(session, isLoopback(request.target.host)),
  };
}

/** With so many runs one that was blocked by something else can be told from the others. */
const fewestRuns = 3;

/** The mean without the longest run: a machine that stood still for a moment says nothing of the statement. */
async function timeOne(
  session: DatabaseSession,
  statement: ReadyStatement,
  at: number,
  forMs: number,
  options: TrialOptions,
): Promise<Refusal | number> {
  const { clock } = options;
  const started = clock.now();
  let [runs, longestMs, totalMs] = [0, 0, 0];
  while (runs === 0 || totalMs < (runs < fewestRuns ? longestTrialMs : forMs)) {
    const refused = await run(session, statement, at, options);
    if (refused !== null) return refused;
    const beforeMs = totalMs;
    totalMs = clock.now() - started;
    longestMs = Math.max(longestMs, totalMs - beforeMs);
    runs += 1;
  }
  return runs < fewestRuns ? totalMs / runs : (totalMs - longestMs) / (runs - 1);
}

/** Null when it ran. */
async function run(
  session: DatabaseSession,
  statement: ReadyStatement,
  at: number,
  { random, signal }: TrialOptions,
): Promise<Refusal | null> {
  if (signal.aborted) return refuse('Cancelled.');
  const drawn = toDrawn(statement, at, session.isPooled, random);
  const answer = await session.run(drawn);
  return answer.kind === 'failed'
    ? refuse(describeFailure(statement, drawn.values ?? [], answer.failure, session.answerBytes))
    : null;
}

const byDemand =
  'Size the pool by demand: max = requests per second at the peak × seconds that the statement takes × 1.2.';

function describeFailure(
  { label, isSampled }: ReadyStatement,
  values: readonly unknown[],
  failure: DatabaseFailure,
  bytes: number,
): string {
  const filledIn = describeValues(values, isSampled);
  if (failure.kind === 'too-long')
    return `${label} returns more than ${mostAnswerBytes / 1e6} MB, of which the rest was not read. No pool helps there: add LIMIT, or read it in parts with a cursor.${filledIn}`;
  if (failure.kind === 'timeout' && failure.code !== '55P03') {
    const sent =
      bytes > wideAnswerBytes
        ? ` with ${toMegabytes(bytes)} of its answer sent. No pool helps there: add LIMIT, or read it in parts with a cursor.`
        : `: too long to compare pool sizes within seconds. ${byDemand}`;
    return `${label} still ran after ${longestRunMs / 1000} s and was cancelled${sent}${filledIn}`;
  }
  const why = isSampled
    ? `The server answered with ${failure.code ?? failure.kind}; its message, which may repeat a value, is left out.`
    : failure.sentence;
  return `${label} does not run. ${why}${filledIn}`;
}

/** Values of columns are shown nowhere. */
function describeValues(values: readonly unknown[], isSampled: boolean): string {
  if (values.length === 0) return '';
  if (isSampled) return ' Its values come from the statistics of columns (--sample-values).';
  const shown = values.map(
    (value, at) =>
      `$${at + 1} = ${typeof value === 'string' ? `"${toShortText(value, 40)}"` : 'null'}`,
  );
  return ` Its values were ${shown.join(', ')}.`;
}

function describeTooWide({ label }: ReadyStatement, bytes: number, connections: number): string {
  return `${label} returns ${toMegabytes(bytes)}, which ${connections} connections would hold at once: too much for the memory of this process. No pool helps there: add LIMIT. To probe it anyway, try fewer connections with --max ${Math.max(2, Math.floor(mostBytesAtOnce / bytes))}.`;
}

function describeWide({ label }: ReadyStatement, bytes: number): string {
  return `${label} returns ${toMegabytes(bytes)}: much of its time goes into sending and reading the answer, where a smaller answer helps more than any pool.`;
}

function toMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 10e6 ? 1 : 0)} MB`;
}
