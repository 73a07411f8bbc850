import type { Library } from '../model/library.ts';
import { calledMember } from '../syntax/call-chain.ts';
import type { Node } from '../syntax/node.ts';
import { memberName, unwrap } from '../syntax/source-file.ts';

/** The library of a handle, or of another one that it leads to: `tx`, `runner.manager`, `manager.getRepository(User)`. */
export function derivedLibrary(
  node: Node,
  libraryOf: (node: Node) => Library | undefined,
): Library | undefined {
  const plain = unwrap(node);
  const own = libraryOf(plain);
  if (own !== undefined) return own;
  const member = plain.type === 'CallExpression' ? plain.callee : plain;
  if (member.type !== 'MemberExpression') return undefined;
  const enclosing = derivedLibrary(member.object, libraryOf);
  const name = plain === member ? memberName(member) : undefined;
  const method = plain.type === 'CallExpression' ? calledMember(plain) : undefined;
  return enclosing?.derives.members.includes(name ?? '') === true ||
    enclosing?.derives.methods.includes(method ?? '') === true
    ? enclosing
    : undefined;
}
