import type { TSESTree } from '@typescript-eslint/types';

export type Node = TSESTree.Node;
export type FunctionNode =
  TSESTree.FunctionDeclaration | TSESTree.FunctionExpression | TSESTree.ArrowFunctionExpression;
export type CallNode = TSESTree.CallExpression;
export type ClassNode = TSESTree.ClassDeclaration | TSESTree.ClassExpression;
/** Functions with a `this` of their own: they may be constructors. */
export type OwnThis = TSESTree.FunctionDeclaration | TSESTree.FunctionExpression;

export function isFunction(node: Node): node is FunctionNode {
  return (
    node.type === 'FunctionDeclaration' ||
    node.type === 'FunctionExpression' ||
    node.type === 'ArrowFunctionExpression'
  );
}

export function isClass(node: Node): node is ClassNode {
  return node.type === 'ClassDeclaration' || node.type === 'ClassExpression';
}
