import { type Node, isFunction, type CallNode } from '../syntax/node.ts';
import type { Checkout } from '../typestate/checkout.ts';
import { awaited } from './edits.ts';
import type { Suggestion } from './suggestion.ts';
import type { Resolver } from '../values/resolver.ts';
import {
  findAncestor,
  variableOf,
  writesTo,
  type SourceFile,
  readsOf,
} from '../syntax/source-file.ts';
import { releaseInFinally } from './release-in-finally.ts';
import { isOfPromise } from '../syntax/promise-calls.ts';

/**
 * `await` is safe where the function is asynchronous already, and nobody asks for the promise as such. A query whose promise is kept
 * is awaited where it starts, and the client then released after it whether it fails or not.
 */
export function addAwait(
  place: Node,
  query: Node,
  { checkout, file, resolver }: AwaitContext,
): readonly Suggestion[] {
  if (place.type !== 'CallExpression' || findAncestor(query, isFunction)?.async !== true) return [];
  if (place.parent.type === 'ReturnStatement')
    return [{ messageId: 'addAwait', data: {}, edits: awaited([place]) }];
  const reads = laterAwaits(place, file);
  return reads === undefined
    ? []
    : releaseInFinally(checkout, file, resolver, { call: place, reads });
}

interface AwaitContext {
  readonly checkout: Checkout;
  readonly file: SourceFile;
  readonly resolver: Resolver;
}

/** `const rows = client.query(…); …; await rows`: the names behind `await`, when there are no others. */
function laterAwaits({ parent }: CallNode, file: SourceFile): readonly Node[] | undefined {
  const variable =
    parent.type === 'VariableDeclarator' && parent.id.type === 'Identifier'
      ? variableOf(file, parent.id)
      : undefined;
  if (variable === undefined || writesTo(variable).length > 0) return undefined;
  const reads = readsOf(variable);
  return reads.every(isJustAwaited) ? reads : undefined;
}

/** `await rows`, and `Promise.all([rows, total])`, which takes values as well. */
function isJustAwaited({ parent }: Node): boolean {
  if (parent?.type === 'ArrayExpression') return isOfPromise(parent.parent, 'all');
  return parent?.type === 'AwaitExpression' || parent?.type === 'ReturnStatement';
}
