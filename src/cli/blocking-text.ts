import type pc from 'picocolors';
import type { ActivityModel } from '../activity/activity-model.ts';
import { describeAge } from '../activity/age.ts';
import { countWaiters, type BlockingNode } from '../activity/blocking.ts';
import { type Session, sessionKey } from '../activity/snapshot.ts';
import { stateText, waitText } from '../activity/session-state.ts';
import { cutToWidth, widthOf, wrapWords } from '../text/terminal-width.ts';
import { cellText } from './terminal-cells.ts';

/** A taller tree says no more than that one session blocks all others. */
const mostLines = 20;
const widthOffTerminal = 120;

/** The blocking tree, with the session at its root that waits for no other; empty when none is blocked. */
export function describeBlocking(
  { report, blocking }: ActivityModel,
  { columns }: { readonly columns: number | null },
  colors: ReturnType<typeof pc.createColors>,
): string {
  if (blocking.length === 0) return '';
  const byKey = new Map((report?.sessions ?? []).map((session) => [sessionKey(session), session]));
  const sessionAt = ({ key }: BlockingNode) => (key === null ? undefined : byKey.get(key));
  const width = columns ?? widthOffTerminal;
  const below = (node: BlockingNode, indent: string): readonly string[] =>
    node.waiters.flatMap((waiter, index) => {
      const isLast = index === node.waiters.length - 1;
      const next = `${indent}${isLast ? '   ' : '│  '}`;
      const [sentence, statement] = describeWaiter(waiter, sessionAt(waiter));
      return [
        branch([`${indent}${isLast ? '└─ ' : '├─ '}`, next], sentence, statement, width),
        ...below(waiter, next),
      ];
    });
  const lines = blocking.flatMap((root) => [
    branch(['', '   '], ...describeRoot(root, sessionAt(root)), width),
    ...below(root, ''),
  ]);
  const shown = lines.slice(0, mostLines);
  const rest = lines.length - shown.length;
  return [colors.bold('blocking'), ...shown, ...(rest > 0 ? [`… ${rest} more`] : [])].join('\n');
}

/** Less of a statement says nothing. */
const leastOfStatement = 10;

/** A sentence, broken between words below its indent, and as much of the statement as there is room for. */
function branch(
  [first, next]: readonly [first: string, next: string],
  sentence: string,
  statement: string,
  columns: number,
): string {
  const lines = wrapWords(`${first}${sentence}`, columns, next.length)
    .split('\n')
    .map((line, index) => (index === 0 ? line : `${next}${line.slice(next.length)}`));
  const left = columns - widthOf(lines.at(-1) ?? '') - 2;
  const isShown = statement !== '' && left >= leastOfStatement;
  return `${lines.join('\n')}${isShown ? `: ${cutToWidth(statement, left)}` : ''}`;
}

type Described = readonly [sentence: string, statement: string];

function describeRoot(node: BlockingNode, session: Session | undefined): Described {
  const count = countWaiters(node);
  const holds = `blocks ${count === 1 ? '1 session' : `${count} sessions`}`;
  if (session === undefined)
    return [`${node.pid === 0 ? 'a prepared transaction' : node.pid} ${holds}`, ''];
  const age = session.stateAgeMs === null ? '' : ` ${describeAge(session.stateAgeMs)}`;
  return [
    `${node.pid} ${nameOf(session)} (${stateText(session)}${age}) ${holds}`,
    cellText(session.query, 200),
  ];
}

function describeWaiter(node: BlockingNode, session: Session | undefined): Described {
  if (node.isCycle) return [`${node.pid} again: a deadlock, which the server will break`, ''];
  if (session === undefined) return [String(node.pid), ''];
  const age = session.stateAgeMs === null ? '' : ` for ${describeAge(session.stateAgeMs)}`;
  return [
    `${node.pid} ${nameOf(session)} waits${age}, ${cellText(waitText(session), 40)}`,
    cellText(session.query, 200),
  ];
}

function nameOf({ application }: Session): string {
  return cellText(application, 30) || '(no name)';
}
