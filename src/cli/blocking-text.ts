import type { ActivityModel } from '../activity/activity-model.ts';
import { describeAge } from '../activity/age.ts';
import { countWaiters, type BlockingNode } from '../activity/blocking.ts';
import { type Session, sessionKey } from '../activity/snapshot.ts';
import { stateText, waitText } from '../activity/session-state.ts';
import { cutToWidth } from '../text/terminal-width.ts';
import { cellText } from './terminal-cells.ts';
import type { Colors } from './text-table.ts';

/** A taller tree says no more than that somebody blocks everybody. */
const mostLines = 20;
const widthOffTerminal = 120;

/** The blocking tree, with the one at its root that waits for nobody; empty when nobody waits for anybody. */
export function describeBlocking(
  { report, blocking }: ActivityModel,
  { columns }: { readonly columns: number | null },
  colors: Colors,
): string {
  if (blocking.length === 0) return '';
  const byKey = new Map((report?.sessions ?? []).map((session) => [sessionKey(session), session]));
  const sessionAt = ({ key }: BlockingNode) => (key === null ? undefined : byKey.get(key));
  const below = (node: BlockingNode, indent: string): readonly string[] =>
    node.waiters.flatMap((waiter, index) => {
      const isLast = index === node.waiters.length - 1;
      return [
        `${indent}${isLast ? '└─ ' : '├─ '}${describeWaiter(waiter, sessionAt(waiter))}`,
        ...below(waiter, `${indent}${isLast ? '   ' : '│  '}`),
      ];
    });
  const lines = blocking.flatMap((root) => [
    describeRoot(root, sessionAt(root)),
    ...below(root, ''),
  ]);
  const shown = lines
    .slice(0, mostLines)
    .map((line) => cutToWidth(line, columns ?? widthOffTerminal));
  const rest = lines.length - shown.length;
  return [colors.bold('blocking'), ...shown, ...(rest > 0 ? [`… ${rest} more`] : [])].join('\n');
}

function describeRoot(node: BlockingNode, session: Session | undefined): string {
  const count = countWaiters(node);
  const holds = `blocks ${count === 1 ? '1 session' : `${count} sessions`}`;
  if (session === undefined)
    return `${node.pid === 0 ? 'a prepared transaction' : node.pid} ${holds}`;
  const age = session.stateAgeMs === null ? '' : ` ${describeAge(session.stateAgeMs)}`;
  return `${node.pid} ${nameOf(session)} (${stateText(session)}${age}) ${holds}: ${cellText(session.query, 200)}`;
}

function describeWaiter(node: BlockingNode, session: Session | undefined): string {
  if (node.isCycle) return `${node.pid} again: a deadlock, which the server will break`;
  if (session === undefined) return String(node.pid);
  const age = session.stateAgeMs === null ? '' : ` for ${describeAge(session.stateAgeMs)}`;
  return `${node.pid} ${nameOf(session)} waits${age}, ${cellText(waitText(session), 40)}: ${cellText(session.query, 200)}`;
}

function nameOf({ application }: Session): string {
  return cellText(application, 30) || '(no name)';
}
