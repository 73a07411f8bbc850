import { count, sentences, share } from '../verdict-words.ts';
import { clientsInUse } from './users-at.ts';
import type { UsersRow } from './users-result.ts';

export interface UsersJudgement {
  readonly verdict: {
    readonly kind: 'found' | 'not-saturated' | 'one-size' | 'no-answers';
    readonly because: string;
  };
  readonly pick: number | null;
}

export interface UserDemand {
  readonly users: number;
  readonly thinkMs: number;
}

/** A size that does this share of the most is as good. */
const goodShare = 0.9;

/** Which size to take, from rows by rising size; or that none of them was enough. */
export function judgeUsers(rows: readonly UsersRow[], demand: UserDemand): UsersJudgement {
  const best = Math.max(0, ...rows.map(({ load }) => load.requests));
  const last = rows.at(-1);
  const beforeLast = rows.at(-2);
  const pick = rows.find(({ load }) => load.requests >= goodShare * best);
  if (last === undefined || pick === undefined || best === 0)
    return { verdict: { kind: 'no-answers', because: 'No request was answered.' }, pick: null };
  if (beforeLast === undefined)
    return {
      verdict: {
        kind: 'one-size',
        because: `Only a pool of ${last.max} was tested, so there is nothing to compare. ${describeQueue(last)}`,
      },
      pick: null,
    };
  const isStillRising = last.load.requests * goodShare > beforeLast.load.requests;
  if (isStillRising && last.load.peakWaiting > 0)
    return {
      verdict: { kind: 'not-saturated', because: describeRise(rows, last, beforeLast, demand) },
      pick: null,
    };
  return { verdict: { kind: 'found', because: describePick(rows, pick, best) }, pick: pick.max };
}

function describeRise(
  rows: readonly UsersRow[],
  last: UsersRow,
  beforeLast: UsersRow,
  demand: UserDemand,
): string {
  const more = share(last.load.requests / beforeLast.load.requests - 1);
  return sentences([
    `A pool of ${last.max} serves ${more} more requests than one of ${beforeLast.max}, and up to ${last.load.peakWaiting} users still wait for a client.`,
    describeReturns(rows),
    describeNeed(last, demand),
  ]);
}

/** What demand would take if no request had to wait: it says how far the tried sizes are from it. */
function describeNeed({ load }: UsersRow, { users, thinkMs }: UserDemand): string | null {
  if (load.database === null) return null;
  const needed = Math.ceil(clientsInUse({ users, thinkMs, holdMs: load.database.averageMs }));
  return `With requests that hold a client for ${Math.round(load.database.averageMs)} ms and pauses of ${Math.round(thinkMs)} ms, ${users} users keep about ${needed} clients busy.`;
}

function describePick(rows: readonly UsersRow[], pick: UsersRow, best: number): string {
  const { load, max } = pick;
  const most = rows.find((row) => row.load.requests === best) ?? pick;
  const comparison =
    most.max === max
      ? 'the most of all sizes tested'
      : `${share(load.requests / best)} of peak throughput (${count(best)} with ${most.max})`;
  const isSmallest = max === rows[0]?.max;
  return sentences([
    `A pool of ${max} serves ${count(load.requests)} requests, ${comparison}.`,
    describeQueue(pick),
    describeReturns(rows),
    isSmallest ? 'It is the smallest size tested: a smaller one may be enough.' : null,
  ]);
}

function describeQueue({ load, max }: UsersRow): string {
  if (load.peakWaiting === 0) return `No user waits for one of the ${max} clients.`;
  return `Up to ${load.peakWaiting} users wait for a client, on average for ${Math.round(load.wait?.averageMs ?? 0)} ms of the ${Math.round(load.latency?.averageMs ?? 0)} ms that a request takes.`;
}

/** What each further connection brought, step by step. */
export function describeReturns(
  rows: readonly Pick<UsersRow, 'max' | 'gainPerConnection'>[],
): string | null {
  const steps = rows.flatMap(({ max, gainPerConnection }, index) =>
    gainPerConnection === null
      ? []
      : [{ from: rows[index - 1]?.max ?? 0, to: max, gain: Math.round(gainPerConnection) }],
  );
  const [first, ...others] = steps;
  if (first === undefined) return null;
  if (others.length === 0)
    return `Each connection from ${first.from} to ${first.to} brought ${count(first.gain)} more requests.`;
  const isFalling = steps.every(
    (step, index) => index === 0 || step.gain <= (steps[index - 1]?.gain ?? 0),
  );
  return `Each further connection brought ${steps.map(({ from, to, gain }) => `${gain < 0 ? `${count(-gain)} fewer` : `${count(gain)} more`} requests from ${from} to ${to}`).join(', ')}${isFalling ? ': returns diminish' : ''}.`;
}
