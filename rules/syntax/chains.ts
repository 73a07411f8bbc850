import type { TSESTree } from '@typescript-eslint/types';
import type { Node, CallNode } from './node.ts';

/**
 * Promise chains are control flow: `p.then(f, g)` runs `f` where `p` fulfils and `g` where it rejects,
 * `p.catch(g)` is a `catch` block, `p.finally(h)` a `finally` block (ECMA-262 27.2.5).
 */
export type Chain = CallNode & {
  callee: TSESTree.MemberExpression & { property: TSESTree.Identifier };
};

const stages: ReadonlySet<string> = new Set(['then', 'catch', 'finally']);

export function isChain(node: Node): node is Chain {
  return (
    node.type === 'CallExpression' &&
    node.callee.type === 'MemberExpression' &&
    node.callee.property.type === 'Identifier' &&
    !node.callee.computed &&
    stages.has(node.callee.property.name) &&
    node.arguments.length > 0
  );
}

/** True when somebody sees how the promise ends: it is awaited, returned, or used as a value. */
export function isWaitedFor(chain: Node): boolean {
  const { parent } = chain;
  if (parent === undefined) return false;
  if (parent.type === 'ChainExpression' || parent.type === 'TSNonNullExpression')
    return isWaitedFor(parent);
  if (
    (parent.type === 'LogicalExpression' && parent.right === chain) ||
    (parent.type === 'ConditionalExpression' && parent.test !== chain)
  )
    return isWaitedFor(parent);
  return !(
    parent.type === 'ExpressionStatement' ||
    (parent.type === 'UnaryExpression' && parent.operator === 'void')
  );
}
