import { quietObjects } from '../model/quiet-calls.ts';
import type { Node } from '../syntax/node.ts';
import { isGlobal, type SourceFile } from '../syntax/source-file.ts';

/** `console`, `Math`, where the file means by it what everybody does. */
export function isQuietObject(node: Node, file: SourceFile): boolean {
  return node.type === 'Identifier' && quietObjects.has(node.name) && isGlobal(node, file);
}

/** `console.log(…)` */
export function isQuietReceiver(callee: Node, file: SourceFile): boolean {
  return callee.type === 'MemberExpression' && isQuietObject(callee.object, file);
}
