import type { TSESTree } from '@typescript-eslint/types';
import type { Effect } from '../summaries/effects.ts';
import { isFunction, type Node } from '../syntax/node.ts';
import { someIn } from '../syntax/preorder.ts';
import { contains, parentOf, type SourceFile } from '../syntax/source-file.ts';
import type { Checkout } from '../typestate/checkout.ts';

/**
 * `return work()` in a `try` whose `finally` releases: nobody waits for the promise before the release. An async function runs up to its
 * first `await` at the call, and goes on after the release.
 */
export function isAfterReturn(
  call: Node,
  effect: Effect,
  checkout: Checkout,
  file: SourceFile,
): boolean {
  return isReturnedUnawaited(call, checkout, file) && isBehindAwait(effect);
}

function isReturnedUnawaited(
  call: Node,
  { graph: { root }, releaseSites }: Checkout,
  file: SourceFile,
): boolean {
  if (parentOf(call)?.type !== 'ReturnStatement') return false;
  for (let up: Node | undefined = call; up !== undefined && up !== root; up = parentOf(up)) {
    const around = parentOf(up);
    if (isFunction(up)) return false;
    if (around?.type !== 'TryStatement' || around.finalizer === null || around.finalizer === up)
      continue;
    const { finalizer } = around;
    if (mayWait(finalizer, file)) return false;
    if ([...releaseSites].some((each) => contains(finalizer, each))) return true;
  }
  return false;
}

function mayWait(block: TSESTree.BlockStatement, file: SourceFile): boolean {
  return someIn(
    file,
    block,
    (node) => node.type === 'AwaitExpression' || (node.type === 'ForOfStatement' && node.await),
  );
}

/** One of the functions on the way to the effect surely waits before it goes on. */
function isBehindAwait({ via, node }: Effect): boolean {
  return via.some((hop, index) => {
    const goesOn = via[index + 1]?.callee ?? node;
    if (!isFunction(hop.node) || !hop.node.async || hop.node.generator) return false;
    const { body } = hop.node;
    if (body.type !== 'BlockStatement') return false;
    const at = body.body.findIndex((each) => contains(each, goesOn));
    return body.body.slice(0, Math.max(at, 0)).some(surelyWaits);
  });
}

/** `await work();`, `const user = await work();` */
function surelyWaits(statement: TSESTree.Statement): boolean {
  if (statement.type === 'ExpressionStatement') {
    const { expression } = statement;
    const value = expression.type === 'AssignmentExpression' ? expression.right : expression;
    return value.type === 'AwaitExpression';
  }
  return (
    statement.type === 'VariableDeclaration' &&
    statement.declarations.some(({ init }) => init?.type === 'AwaitExpression')
  );
}
