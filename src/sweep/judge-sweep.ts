import { addErrors, countErrors } from '../probe/load/pool-load.ts';
import { clientsInUse } from '../probe/users/users-at.ts';
import { describeReturns } from '../probe/users/judge-users.ts';
import { count, sentences, share } from '../probe/verdict-words.ts';
import { takesOneClient } from './contradictions.ts';
import type { SweepRow, SweepVerdict } from './sweep-result.ts';

export interface SweepJudgement {
  readonly verdict: SweepVerdict;
  readonly pick: number | null;
}

export interface SweepFacts {
  readonly users: number;
  readonly thinkMs: number;
  /** Of this machine. */
  readonly cores: number;
  /** The variable that should tell the pool size; null for `--live`. */
  readonly variable: string | null;
  /** Which lines keep clients after the load; null where none does. */
  readonly held: string | null;
}

/** A size that does this share of the most is as good. */
const goodShare = 0.9;
/** A process whose event loop is the limit uses nearly one core; garbage collection and threads of its own let it use more. */
const fullCore = 0.9;
/** A machine with less to spare is at its end. */
export const spareCores = 0.15;
const fullGenerator = 0.9;
/** A wait that is a smaller share of what the caller sees comes from users who ask at the same moment. */
const worthyWait = 0.1;
/** A wait of this share shows a need that the hold alone does not, as that of requests which take two clients. */
const mostlyWait = 0.5;

/** Which size to take, from rows by rising size; or why none can be named. The first reason that applies counts; clients that are lost are always told of. */
export function judgeSweep(rows: readonly SweepRow[], facts: SweepFacts): SweepJudgement {
  const { verdict, pick } = judgeCurve(rows, facts);
  return { verdict: { ...verdict, because: sentences([verdict.because, facts.held]) }, pick };
}

function judgeCurve(rows: readonly SweepRow[], facts: SweepFacts): SweepJudgement {
  const best = Math.max(0, ...rows.map(({ requests }) => requests));
  const last = rows.at(-1);
  const pick = rows.find(({ requests }) => requests >= goodShare * best);
  if (last === undefined || pick === undefined || best === 0)
    return { verdict: { kind: 'no-answers', because: describeSilence(rows) }, pick: null };
  const unread = findUnread(rows);
  if (unread !== null)
    return {
      verdict: { kind: 'not-read', because: describeUnread(rows, unread, facts) },
      pick: null,
    };
  const beforeLast = rows.at(-2);
  if (beforeLast === undefined)
    return {
      verdict: {
        kind: 'one-size',
        because: `Only a pool of ${last.max} was tested, so there is nothing to compare. ${describeQueue(last)}`,
      },
      pick: null,
    };
  const most = rows.find(({ requests }) => requests === best) ?? last;
  if (isGeneratorBound(most))
    return { verdict: { kind: 'generator-bound', because: describeGenerator(most) }, pick: null };
  const isStillRising =
    last.requests * goodShare > beforeLast.requests &&
    1 - beforeLast.requests / last.requests > spreadOf(rows);
  if (isStillRising && hasQueue(last, facts))
    return {
      verdict: { kind: 'not-saturated', because: describeRise(rows, last, beforeLast, facts) },
      pick: null,
    };
  return judgeFlat(rows, { pick, most, best, facts });
}

/** Whether callers wait because there are too few clients. */
function hasQueue(row: SweepRow, facts: SweepFacts): boolean {
  const { peakWaiting, waitMs, latency, max } = row;
  if ((peakWaiting ?? 0) === 0) return false;
  const waited =
    waitMs === null || latency === null || latency.averageMs === 0 ? 1 : waitMs / latency.averageMs;
  return (
    waited >= mostlyWait || (waited >= worthyWait && (neededClients(row, facts) ?? Infinity) > max)
  );
}

interface Flat {
  readonly pick: SweepRow;
  readonly most: SweepRow;
  readonly best: number;
  readonly facts: SweepFacts;
}

/** More connections bring nothing: because there are enough, or because something else is at its end. */
function judgeFlat(rows: readonly SweepRow[], { pick, most, best, facts }: Flat): SweepJudgement {
  const stillWaits = (pick.peakWaiting ?? 0) > 0;
  if (stillWaits && (most.busiestCores ?? 0) >= fullCore)
    return {
      verdict: { kind: 'app-bound', because: describeApp(rows, pick, most) },
      pick: pick.max,
    };
  if (stillWaits && most.idleCores !== null && most.idleCores < spareCores)
    return {
      verdict: { kind: 'host-bound', because: describeHost(rows, most, facts) },
      pick: null,
    };
  const alike = findAlike(rows, pick, best);
  if (alike !== null)
    return {
      verdict: { kind: 'no-difference', because: describeAlike(rows, alike, most) },
      pick: null,
    };
  return { verdict: { kind: 'found', because: describePick(rows, pick, best) }, pick: pick.max };
}

/**
 * The smallest size that differs from the best by no more than passes of one size do, where that leaves it open which size
 * does it: a smaller one than the pick, or the smallest of all. Null where the passes agree, or the size below the pick is worse beyond chance.
 */
function findAlike(rows: readonly SweepRow[], pick: SweepRow, best: number): SweepRow | null {
  const spread = spreadOf(rows);
  const alike = rows.find(({ requests }) => 1 - requests / best <= spread);
  if (spread <= noisy || alike === undefined) return null;
  return alike === rows[0] || alike.max < pick.max ? alike : null;
}

/** The one `max` that the application had whatever it was told; null when it followed, or when nobody saw. */
export function findUnread(rows: readonly Pick<SweepRow, 'max' | 'seenMax'>[]): number | null {
  const [first] = rows;
  if (first?.seenMax === undefined || first.seenMax === null || rows.length < 2) return null;
  return rows.every(({ seenMax }) => seenMax === first.seenMax) ? first.seenMax : null;
}

function describeSilence(rows: readonly SweepRow[]): string {
  const causes = Object.entries(addErrors(rows.map(({ errors }) => errors))).map(
    ([cause, times]) => `${count(times)} × ${cause}`,
  );
  return `No request was answered correctly${causes.length === 0 ? '' : ` (${causes.join(', ')})`}.`;
}

function describeUnread(rows: readonly SweepRow[], max: number, { variable }: SweepFacts): string {
  const sizes = rows.map((row) => row.max).join(', ');
  const total = Math.max(...rows.map(({ peakTotal }) => peakTotal ?? 0));
  const how = variable === null ? 'was set to' : `was started with ${variable} =`;
  return sentences([
    `The application ${how} ${sizes}, but its pool kept max ${max} and opened at most ${total} connections${variable === null ? '' : `: it does not read ${variable}`}.`,
    variable === null
      ? null
      : `Read it where the pool is created, as in new Pool({ max: Number(process.env.${variable} ?? 10) }), set --env to the variable that is read, or change the pool of the running application with --live.`,
  ]);
}

function isGeneratorBound({ generator: { busy, dropped }, requests }: SweepRow): boolean {
  return (busy ?? 0) >= fullGenerator || dropped > requests / 100;
}

function describeGenerator({ max, generator: { busy, dropped } }: SweepRow): string {
  const fact =
    busy !== null && busy >= fullGenerator
      ? `it was busy for ${share(busy)} of the time with a pool of ${max}`
      : `it could not send ${count(dropped)} requests with a pool of ${max}`;
  return `The load generator was the limit: ${fact}, so the application was never saturated. Use fewer users, a longer pause (--think), smaller responses, or --load k6 on another machine.`;
}

function describeRise(
  rows: readonly SweepRow[],
  last: SweepRow,
  beforeLast: SweepRow,
  facts: SweepFacts,
): string {
  return sentences([
    `A pool of ${last.max} serves ${share(last.requests / beforeLast.requests - 1)} more requests than one of ${beforeLast.max}, and up to ${last.peakWaiting ?? 0} callers still wait for a client.`,
    describeQueues(rows),
    describeReturns(rows),
    describeNeed(last, facts),
    (last.busiestCores ?? 0) >= fullCore
      ? `The application's busiest process uses ${cores(last.busiestCores)} already, which is the next limit.`
      : null,
  ]);
}

/** What demand would take if no request had to wait. */
function describeNeed(row: SweepRow, facts: SweepFacts): string | null {
  const needed = neededClients(row, facts);
  if (needed === null || needed <= row.max) return null;
  const { users, thinkMs } = facts;
  return `With requests that hold a client for ${ms(holdOf(row))} and pauses of ${Math.round(thinkMs)} ms, ${users} users keep about ${needed} clients busy.`;
}

/** On average, rounded up; null without a monitor. */
function neededClients(row: SweepRow, { users, thinkMs }: SweepFacts): number | null {
  const holdMs = holdOf(row);
  return holdMs === null ? null : Math.ceil(clientsInUse({ users, thinkMs, holdMs }));
}

/** What a request holds clients for, all its checkouts together. */
function holdOf({ checkouts, requests, holdMs, errors }: SweepRow): number | null {
  const isKnown = checkouts !== null && requests > 0 && countErrors(errors) === 0;
  return holdMs === null || !isKnown ? holdMs : (holdMs * checkouts) / requests;
}

function describeApp(rows: readonly SweepRow[], pick: SweepRow, most: SweepRow): string {
  return sentences([
    `At peak load its busiest process used ${cores(most.busiestCores)} with a pool of ${most.max}, and an event loop cannot use more than one core.`,
    `More connections do not help: a pool of ${pick.max} serves ${count(pick.requests)} requests, ${compareWithMost(pick, most)}.`,
    describeQueues(rows),
    'Do less work for each request, or run more processes, each with its own pool.',
  ]);
}

function describeHost(
  rows: readonly SweepRow[],
  { idleCores, appCores, max }: SweepRow,
  { cores: all }: SweepFacts,
): string {
  const used =
    appCores === null
      ? ''
      : ` (the application used ${appCores.toFixed(1)}; the rest went to the load, the database and other programs)`;
  return sentences([
    `Of its ${all} cores ${(idleCores ?? 0).toFixed(1)} were idle at peak load with a pool of ${max}${used}, so the pool sizes cannot be compared.`,
    describeQueues(rows),
    describeReturns(rows),
    'To get a recommendation, close other programs, or run the application, the database and the load on separate machines.',
  ]);
}

function describeAlike(rows: readonly SweepRow[], alike: SweepRow, most: SweepRow): string {
  const differ =
    most.requests === alike.requests
      ? 'no size serves more'
      : `${count(most.requests)} requests with ${most.max} are ${share(most.requests / alike.requests - 1)} more`;
  return sentences([
    `A pool of ${alike.max} serves ${count(alike.requests)} requests; ${differ}. Passes of the same size differ by up to ${share(spreadOf(rows))}, so the difference may be chance.`,
    `A pool of ${alike.max}${alike === rows[0] ? ', the smallest size tested,' : ''} is probably enough.`,
    describeQueue(alike),
    describeReturns(rows),
    'For a clearer result, use more passes (--passes) or a quieter machine.',
  ]);
}

function describePick(rows: readonly SweepRow[], pick: SweepRow, best: number): string {
  const most = rows.find(({ requests }) => requests === best) ?? pick;
  return sentences([
    `A pool of ${pick.max} serves ${count(pick.requests)} requests, ${compareWithMost(pick, most)}.`,
    describeQueue(pick),
    describeReturns(rows),
    pick.max === rows[0]?.max
      ? 'It is the smallest size tested: a smaller one may be enough.'
      : null,
  ]);
}

function compareWithMost(pick: SweepRow, most: SweepRow): string {
  return most.max === pick.max
    ? 'the most of all sizes tested'
    : `${share(pick.requests / most.requests)} of peak throughput (${count(most.requests)} with ${most.max})`;
}

function describeQueue(row: SweepRow): string | null {
  const { max, peakWaiting, waitMs, latency } = row;
  if (peakWaiting === null) return null;
  if (peakWaiting === 0) return `No caller waits for one of the ${max} clients.`;
  const queue = `Up to ${peakWaiting} callers wait for a client`;
  if (waitMs === null || latency === null) return `${queue}.`;
  return takesOneClient(row)
    ? `${queue}, on average for ${ms(waitMs)} of the ${ms(latency.averageMs)} that a request takes.`
    : `${queue}, on average for ${ms(waitMs)} each time; a request takes ${ms(latency.averageMs)}.`;
}

function describeQueues(rows: readonly SweepRow[]): string | null {
  const seen = rows.flatMap(({ max, peakWaiting }) =>
    peakWaiting === null ? [] : [`${peakWaiting} with ${max}`],
  );
  return seen.length < 2 ? null : `Longest queue: ${seen.join(', ')}.`;
}

function cores(value: number | null): string {
  return `${(value ?? 0).toFixed(2)} of a core`;
}

function ms(value: number | null): string {
  return `${Math.round(value ?? 0)} ms`;
}

/** Passes that differ by more than this are worth a word, and make differences of that size worthless. */
export const noisy = 0.1;

/** By how much passes of one size differ at most: the share of its best pass that its worst lacks, 0 to 1. One pass has none, and no answers at all are reported elsewhere. */
export function spreadOf(rows: readonly Pick<SweepRow, 'passes'>[]): number {
  return Math.max(
    0,
    ...rows.map(({ passes }) =>
      passes.length < 2 || Math.max(...passes) === 0
        ? 0
        : 1 - Math.min(...passes) / Math.max(...passes),
    ),
  );
}
