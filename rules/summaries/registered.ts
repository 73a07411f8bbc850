import type { Node } from '../syntax/node.ts';
import { definitionOf, memberName, variableOf, type SourceFile } from '../syntax/source-file.ts';

/** `stops.has(name)`, where `const stops = new Map()` is empty until somebody registers something. */
export function asksRegistry(asked: Node, file: SourceFile): boolean {
  const member = asked.type === 'CallExpression' ? asked.callee : undefined;
  if (member?.type !== 'MemberExpression' || memberName(member) !== 'has') return false;
  const made = definitionOf(variableOf(file, member.object))?.node as Node | undefined;
  return (
    made?.type === 'VariableDeclarator' &&
    made.parent.parent.type !== 'BlockStatement' &&
    made.init?.type === 'NewExpression' &&
    made.init.arguments.length === 0
  );
}
