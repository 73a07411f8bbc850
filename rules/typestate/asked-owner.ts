import type { Node } from '../syntax/node.ts';
import { parentOf } from '../syntax/source-file.ts';
import type { Use } from '../syntax/uses.ts';
import type { CheckoutContext } from './checkout.ts';

const testing: ReadonlySet<string> = new Set([
  'UnaryExpression',
  'LogicalExpression',
  'BinaryExpression',
  'AwaitExpression',
  'ChainExpression',
  'TSNonNullExpression',
  'MemberExpression',
  'CallExpression',
]);

/**
 * `if (!unit.isCompleted())`: an object whose methods give its client back on some of their ways may tell which, and what is known of
 * its client no longer says where its user goes.
 */
export function asksOwner(
  object: Node,
  { member }: Use & { kind: 'receiver' },
  { acquisition: { shape } }: CheckoutContext,
): boolean {
  const roles = [...(shape?.values() ?? [])];
  return roles.includes('ending') && !shape?.has(member ?? '') && isTested(object);
}

/** `if (!transaction.isDone())`: an object of unknown code is asked for its own state, at once. */
export function isAskedAtOnce(call: Node): boolean {
  return parentOf(call)?.type !== 'AwaitExpression' && isTested(call);
}

function isTested(node: Node): boolean {
  let inner = node;
  for (let up = parentOf(inner); up !== undefined; inner = up, up = parentOf(up)) {
    if ('test' in up) return up.test === inner;
    if (!testing.has(up.type)) return false;
  }
  return false;
}
