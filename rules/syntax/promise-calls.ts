import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from './node.ts';
import { memberName } from './source-file.ts';

/** `Promise.all(…)`, `Promise.race(…)` */
export function isOfPromise(
  call: Node | undefined,
  name: 'all' | 'race' | 'reject',
): call is TSESTree.CallExpression {
  return (
    call?.type === 'CallExpression' &&
    call.callee.type === 'MemberExpression' &&
    call.callee.object.type === 'Identifier' &&
    call.callee.object.name === 'Promise' &&
    memberName(call.callee) === name
  );
}
