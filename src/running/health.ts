import { describeAge } from '../activity/age.ts';
import { healthCard, type HealthCard } from './health-card.ts';
import { healthFacts, type HealthFacts } from './health-facts.ts';
import type { RunningPool } from './running-app.ts';

export interface PoolHealth {
  readonly kind: PoolVerdict;
  /** A whole sentence with the facts that it rests on. */
  readonly sentence: string;
}

export type PoolVerdict =
  | 'held'
  | 'timeouts'
  | 'grow'
  | 'slow-waits'
  | 'queue'
  | 'slow-holds'
  | 'no-reserve'
  | 'unused'
  | 'healthy'
  | 'unknown';

/** The sentence, where the verdict holds. */
type Judge = (facts: HealthFacts, card: HealthCard) => string | null;

/** The first that holds is told: what makes the others worse comes first. */
const judges: readonly (readonly [PoolVerdict, Judge])[] = [
  ['held', judgeHeld],
  ['grow', judgeGrowth],
  ['timeouts', judgeTimeouts],
  ['slow-waits', judgeWaits],
  ['queue', judgeQueue],
  ['slow-holds', judgeHolds],
  ['no-reserve', judgeReserve],
  ['unused', judgeUse],
  ['healthy', praise],
];

/**
 * The health card for one pool, from its looks of the last ten seconds. A pool that may still open clients has a reserve, so its free
 * clients are judged where the field report has the share of idle ones; in a full pool the two are the same.
 */
export function poolHealth(
  pool: RunningPool,
  now: number,
  card: HealthCard = healthCard,
): PoolHealth {
  const facts = healthFacts(pool, now, card);
  if (facts === null) return { kind: 'unknown', sentence: 'The pool has no samples yet.' };
  const verdicts = judges.map(([kind, judge]) => ({ kind, sentence: judge(facts, card) }));
  const [first] = verdicts.flatMap(({ kind, sentence }) =>
    sentence === null ? [] : [{ kind, sentence }],
  );
  return first ?? { kind: 'unknown', sentence: 'The state of the pool is unknown.' };
}

/** A queue behind clients that do not come back is no reason to grow. */
function judgeHeld(
  { held, max, mostFree, peakWaiting, longestHeldMs }: HealthFacts,
  { heldShare }: HealthCard,
): string | null {
  if (held === 0 || held < max * heldShare || mostFree > max - held || peakWaiting === 0)
    return null;
  const which =
    held === 1
      ? `1 of ${clients(max)} has been checked out for ${describeAge(longestHeldMs)}`
      : `${held} of ${clients(max)} have been checked out for long, one for ${describeAge(longestHeldMs)}`;
  return `${which}, while up to ${callers(peakWaiting)} waited. Find out why ${held === 1 ? 'it is' : 'they are'} not released; a larger pool does not help.`;
}

function judgeGrowth(
  { isSteady, leastWaiting, mostIdle, total, max, seconds }: HealthFacts,
  { growQueue }: HealthCard,
): string | null {
  if (!isSteady || leastWaiting <= growQueue || mostIdle > 0 || total < max) return null;
  return `At least ${callers(leastWaiting)} waited throughout the last ${seconds} s, and none of ${clients(max)} was idle. A larger pool helps if the database has CPU to spare (usage below 50 %).`;
}

function judgeTimeouts({ failed, seconds, peakWaiting }: HealthFacts): string | null {
  return failed === 0
    ? null
    : `${callers(failed)} timed out waiting for a client in the last ${seconds} s, while up to ${peakWaiting} waited.`;
}

function judgeWaits({ waitP95Ms, seconds }: HealthFacts, { p95Ms }: HealthCard): string | null {
  return waitP95Ms === null || waitP95Ms < p95Ms
    ? null
    : `5 % of callers waited for ${describeAge(waitP95Ms)} or longer in the last ${seconds} s.`;
}

function judgeQueue(
  { peakWaiting, max, seconds }: HealthFacts,
  { queue }: HealthCard,
): string | null {
  return peakWaiting < queue
    ? null
    : `Up to ${callers(peakWaiting)} waited for one of ${clients(max)} in the last ${seconds} s.`;
}

function judgeHolds({ holdP95Ms, seconds }: HealthFacts, { p95Ms }: HealthCard): string | null {
  return holdP95Ms === null || holdP95Ms < p95Ms
    ? null
    : `5 % of checkouts lasted for ${describeAge(holdP95Ms)} or longer in the last ${seconds} s.`;
}

/** A pool of one client never has a tenth to spare. */
function judgeReserve(
  { isSteady, mostFree, max, seconds }: HealthFacts,
  { freeShare }: HealthCard,
): string | null {
  if (!isSteady || max < 2 || mostFree >= max * freeShare) return null;
  return `In the last ${seconds} s ${mostFree === 0 ? 'none' : `no more than ${mostFree}`} of ${clients(max)} ${mostFree > 1 ? 'were' : 'was'} free for the next caller.`;
}

function judgeUse({ acquired, free, max, total, seconds }: HealthFacts): string | null {
  if (acquired > 0 || free < max) return null;
  return `No client was checked out in the last ${seconds} s; ${total} of ${clients(max)} ${total === 1 ? 'is' : 'are'} open.`;
}

function praise({ peakWaiting, free, max, waitP95Ms }: HealthFacts): string {
  const queue = peakWaiting === 0 ? 'No caller waited' : `Up to ${callers(peakWaiting)} waited`;
  const waits =
    waitP95Ms === null
      ? ''
      : `, 95 % of callers got a client within ${describeAge(Math.max(1, waitP95Ms))}`;
  return `${queue}${waits}, and ${free} of ${clients(max)} ${free === 1 || max === 1 ? 'is' : 'are'} free.`;
}

function callers(count: number): string {
  return count === 1 ? '1 caller' : `${count} callers`;
}

function clients(max: number): string {
  return max === 1 ? '1 client' : `${max} clients`;
}
