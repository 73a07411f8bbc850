import { describeAge } from '../../activity/age.ts';
import type { Evidence, EvidenceKind } from '../../running/evidence.ts';

/** What is seen of one line in one application, whatever ways led to it. */
export type Seen = Pick<
  Evidence,
  'kind' | 'app' | 'pool' | 'pids' | 'count' | 'longestMs' | 'isWaitedFor' | 'hasEnded'
>;

/** The code of a diagnostic that stands for itself. */
export const codes: Readonly<Record<EvidenceKind, string>> = {
  held: 'held-at-run-time',
  'never-returned': 'never-returned-at-run-time',
  'double-release': 'double-release-at-run-time',
  'use-after-release': 'use-after-release-at-run-time',
  'open-transaction': 'open-transaction-at-run-time',
};

/** Evidence of one line, one of each kind and application. */
export function summed(evidence: readonly Evidence[]): readonly Seen[] {
  const sums = new Map<string, Seen>();
  for (const { kind, app, pool, pids, count, longestMs, isWaitedFor, hasEnded } of evidence) {
    const key = [kind, app, pool, hasEnded].join('\n');
    const before = sums.get(key) ?? {
      kind,
      app,
      pool,
      pids: [],
      count: 0,
      longestMs: 0,
      isWaitedFor: false,
      hasEnded,
    };
    const all = [...new Set([...before.pids, ...pids])].sort((a, b) => a - b);
    sums.set(key, {
      ...before,
      pids: all,
      count: before.count + count,
      longestMs: Math.max(before.longestMs, longestMs),
      isWaitedFor: before.isWaitedFor || isWaitedFor,
    });
  }
  return [...sums.values()];
}

/** The last sentence of a finding: "Seen at run time: checked out for more than 30 s in server.js (pid 4711), 3 of these now." */
export function lastSentence(seen: readonly Seen[]): string {
  return `Seen at run time: ${seen.map((each) => words[each.kind].beside(each)).join('; ')}.`;
}

/** Of a diagnostic of its own. */
export function ownSentence(seen: Seen): string {
  return words[seen.kind].alone(seen);
}

interface Words {
  readonly beside: (seen: Seen) => string;
  readonly alone: (seen: Seen) => string;
}

const words: Readonly<Record<EvidenceKind, Words>> = {
  held: {
    beside: (seen) =>
      `checked out for more than ${describeAge(seen.longestMs)} in ${whereRun(seen)}${seen.count === 1 ? '' : `, ${seen.count} of these now`}${queue(seen)}`,
    alone: (seen) =>
      `${clients(seen)} acquired here ${seen.count === 1 ? 'has' : 'have'} been checked out for more than ${describeAge(seen.longestMs)} in ${whereRun(seen)}${queue(seen)}.`,
  },
  'never-returned': {
    beside: (seen) =>
      `${seen.count === 1 ? 'a client was' : `${seen.count} clients were`} not released before ${whereRun(seen)} ended, after more than ${describeAge(seen.longestMs)}`,
    alone: (seen) =>
      `${clients(seen)} acquired here ${seen.count === 1 ? 'was' : 'were'} not released before ${whereRun(seen)} ended, after more than ${describeAge(seen.longestMs)}.`,
  },
  'double-release': {
    beside: (seen) => `released a second time in ${whereRun(seen)}${times(seen)}`,
    alone: (seen) =>
      `A client of ${seen.pool} was released here a second time in ${whereRun(seen)}${times(seen)}: it may have been in use elsewhere by then.`,
  },
  'use-after-release': {
    beside: (seen) => `used after its release in ${whereRun(seen)}${times(seen)}`,
    alone: (seen) =>
      `A client of ${seen.pool} was used here after its release in ${whereRun(seen)}${times(seen)}: it may have been in use elsewhere by then.`,
  },
  'open-transaction': {
    beside: (seen) => `released in an open transaction in ${whereRun(seen)}${times(seen)}`,
    alone: (seen) =>
      `A client of ${seen.pool} was released here in an open transaction in ${whereRun(seen)}${times(seen)}: its next user runs inside that transaction.`,
  },
};

function clients({ count, pool }: Seen): string {
  return count === 1 ? `A client of ${pool}` : `${count} clients of ${pool}`;
}

const shownPids = 3;

/** "server.js (pid 4711)" */
function whereRun({ app, pids }: Seen): string {
  if (pids.length === 0) return app;
  const more = pids.length > shownPids ? ` and ${pids.length - shownPids} more` : '';
  return `${app} (pid ${pids.slice(0, shownPids).join(', ')}${more})`;
}

function queue({ isWaitedFor }: Seen): string {
  return isWaitedFor ? ', while callers wait for the pool' : '';
}

function times({ count }: Seen): string {
  return count === 1 ? '' : `, ${count} times`;
}
