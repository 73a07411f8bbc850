import type { CallNode, Node } from './node.ts';
import { memberName } from './source-file.ts';

/** `Promise` */
export function isPromiseClass(node: Node): boolean {
  return node.type === 'Identifier' && node.name === 'Promise';
}

/** `Promise.all(…)`, `Promise.race(…)`: a call of one of these names, of any where none is given. */
export function isOfPromise(call: Node | undefined, ...names: readonly string[]): call is CallNode {
  return (
    call?.type === 'CallExpression' &&
    call.callee.type === 'MemberExpression' &&
    isPromiseClass(call.callee.object) &&
    (names.length === 0 || names.includes(memberName(call.callee) ?? ''))
  );
}
