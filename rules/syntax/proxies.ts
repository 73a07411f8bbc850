import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from './node.ts';
import { someIn } from './preorder.ts';
import { memberName, type SourceFile } from './source-file.ts';

/** What `new Proxy(target, handler)` stands for: its target, where the handler is written out and has nothing to do with these members. */
export function proxied(
  { callee, arguments: [target, handler] }: TSESTree.NewExpression,
  members: readonly string[],
  file: SourceFile,
): Node | undefined {
  if (callee.type !== 'Identifier' || callee.name !== 'Proxy') return undefined;
  return handler?.type === 'ObjectExpression' && !speaksOf(handler, members, file)
    ? target
    : undefined;
}

function speaksOf(node: Node, members: readonly string[], file: SourceFile): boolean {
  return someIn(file, node, (each) => {
    const name =
      each.type === 'MemberExpression'
        ? memberName(each)
        : each.type === 'Literal'
          ? each.value
          : undefined;
    return members.some((member) => member === name);
  });
}
