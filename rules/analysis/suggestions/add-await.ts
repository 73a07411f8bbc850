import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from '../../flow/graph.ts';
import type { Edit, Suggestion } from '../findings/finding.ts';
import { isFunction } from '../identity/entities.ts';
import { findAncestor, memberName, variableOf, writesTo, type SourceFile } from '../files/source-file.ts';

/** `await` before each of these calls. */
export function awaited(calls: readonly Node[]): readonly Edit[] {
  return calls.map(({ range: [start] }) => ({ range: [start, start], text: 'await ' }));
}

/** `await` is safe where the function is asynchronous already, and nobody asks for the promise as such. */
export function addAwait(place: Node, query: Node, release: Node, file: SourceFile): readonly Suggestion[] {
  const fn = findAncestor(query, isFunction);
  if (place.type !== 'CallExpression' || fn?.async !== true) return [];
  const isReturned = place.parent.type === 'ReturnStatement';
  if (!isReturned && (findAncestor(release, isFunction) !== fn || !isAwaitedLater(place, file))) return [];
  return [{ messageId: 'addAwait', data: {}, edits: awaited([place]) }];
}

/** `const rows = client.query(…); …; await rows` */
function isAwaitedLater({ parent }: TSESTree.CallExpression, file: SourceFile): boolean {
  const variable = parent.type === 'VariableDeclarator' && parent.id.type === 'Identifier' ? variableOf(file, parent.id) : undefined;
  if (variable === undefined || writesTo(variable).length > 0) return false;
  const reads = variable.references.filter((each) => each.isRead());
  return reads.every(({ identifier }) => isJustAwaited(identifier as unknown as Node));
}

function isJustAwaited({ parent }: Node): boolean {
  if (parent?.type === 'ArrayExpression') return parent.parent.type === 'CallExpression' && isAll(parent.parent);
  return parent?.type === 'AwaitExpression' || parent?.type === 'ReturnStatement';
}

/** `Promise.all([rows, total])` takes values as well. */
function isAll({ callee }: TSESTree.CallExpression): boolean {
  return callee.type === 'MemberExpression' && callee.object.type === 'Identifier' && callee.object.name === 'Promise' && memberName(callee) === 'all';
}
