import type { Node } from './node.ts';
import { parentOf } from './source-file.ts';

/** Nobody waits for it: a statement of its own, `void log()`, `log().catch(report)`. */
export function isDropped(call: Node): boolean {
  for (let inner = call, up = parentOf(call); up !== undefined; inner = up, up = parentOf(up)) {
    if (
      up.type === 'ExpressionStatement' ||
      (up.type === 'UnaryExpression' && up.operator === 'void')
    )
      return true;
    const isChained =
      (up.type === 'MemberExpression' && up.object === inner) ||
      (up.type === 'CallExpression' && up.callee === inner) ||
      up.type === 'ChainExpression';
    if (!isChained) return false;
  }
  return false;
}
