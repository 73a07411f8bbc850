import type { Node, CallNode } from './node.ts';

/** `require('module')` */
export function requiredModule({ callee, arguments: [argument] }: CallNode): string | undefined {
  const isRequire = callee.type === 'Identifier' && callee.name === 'require';
  return isRequire && argument !== undefined ? constantText(argument) : undefined;
}

/** The text that a literal holds. */
export function constantText(node: Node): string | undefined {
  if (node.type === 'TemplateLiteral' && node.expressions.length === 0)
    return node.quasis[0]?.value.cooked ?? undefined;
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}

/** A literal that counts as false, or `undefined`. */
export function isFalsy(node: Node): boolean {
  return (
    (node.type === 'Literal' && !node.value) ||
    (node.type === 'Identifier' && node.name === 'undefined')
  );
}

/** `null`, `undefined` */
export function isNothing(node: Node): boolean {
  return (
    (node.type === 'Literal' && node.value === null) ||
    (node.type === 'Identifier' && node.name === 'undefined')
  );
}
