import { type Session, sessionKey } from './snapshot.ts';

/** A session in the blocking tree. */
export interface BlockingNode {
  /** `sessionKey`; null for a prepared transaction or a backend that is no client. */
  readonly key: string | null;
  readonly pid: number;
  readonly waiters: readonly BlockingNode[];
  /** True where the tree stops because the session stands above itself: a deadlock that the server has not broken yet. */
  readonly isCycle: boolean;
}

/**
 * Those who block others and wait for nobody, each with those that wait for them; the one that blocks most comes first.
 * A session that waits for several appears below each, and those that wait for it once below a root: in a queue each waits for all
 * before it, and the ways through it double with each. A ring without a root is entered at its lowest process id.
 */
export function findBlocking(sessions: readonly Session[]): readonly BlockingNode[] {
  const byPid = new Map(sessions.map((session) => [session.pid, session]));
  const waitersOf = new Map<number, number[]>();
  for (const { pid, blockedBy } of sessions)
    for (const blocker of blockedBy)
      waitersOf.set(blocker, [...(waitersOf.get(blocker) ?? []), pid]);
  const toTree = (root: number): BlockingNode => {
    const unfolded = new Set<number>();
    const toNode = (pid: number, above: readonly number[]): BlockingNode => {
      const isFirst = !unfolded.has(pid);
      unfolded.add(pid);
      const session = byPid.get(pid);
      return {
        key: session === undefined ? null : sessionKey(session),
        pid,
        waiters: isFirst
          ? (waitersOf.get(pid) ?? []).map((waiter) => toNode(waiter, [...above, pid]))
          : [],
        isCycle: above.includes(pid),
      };
    };
    return toNode(root, []);
  };
  const roots = [...waitersOf.keys()]
    .filter((pid) => (byPid.get(pid)?.blockedBy.length ?? 0) === 0)
    .map(toTree);
  const reached = new Set(roots.flatMap(pidsOf));
  const rings = [...waitersOf.keys()]
    .sort((a, b) => a - b)
    .flatMap((pid) => {
      if (reached.has(pid)) return [];
      const ring = toTree(pid);
      for (const each of pidsOf(ring)) reached.add(each);
      return [ring];
    });
  return [...roots, ...rings].sort((a, b) => countWaiters(b) - countWaiters(a) || a.pid - b.pid);
}

/** Those that wait below, each counted once. */
export function countWaiters(node: BlockingNode): number {
  return new Set(node.waiters.flatMap(pidsOf)).size;
}

function pidsOf(node: BlockingNode): number[] {
  return [node.pid, ...node.waiters.flatMap(pidsOf)];
}
