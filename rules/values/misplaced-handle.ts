import type { Given, Library } from '../model/library.ts';
import { calledMember, nextInChain } from '../syntax/call-chain.ts';
import type { Node, CallNode } from '../syntax/node.ts';
import { unwrap } from '../syntax/source-file.ts';
import type { HandleCall } from './handle-call.ts';

/** Where the method that a call asks for is told its connection; undefined where the library's row does not say. */
export function givenTo({
  library,
  path,
}: Pick<HandleCall, 'path'> & { readonly library: Library }): Given | undefined {
  const method = path.at(-1);
  return method !== undefined && Object.hasOwn(library.mayBind, method)
    ? library.mayBind[method]
    : undefined;
}

/** The call of a method in a chain of calls. */
export function callOf(method: string, call: CallNode): CallNode | undefined {
  if (calledMember(call) === method) return call;
  const object = call.callee.type === 'MemberExpression' ? unwrap(call.callee.object) : undefined;
  return object?.type === 'CallExpression' ? callOf(method, object) : undefined;
}

/** The argument that has the transaction's handle where the library does not look for it: `User.findAll(query, { transaction: t })`. */
export function misplacedIn(
  call: CallNode,
  { at }: Given,
  isHandle: (node: Node) => boolean,
): Node | undefined {
  const has = (argument: Node): boolean => {
    const plain = unwrap(argument);
    return plain.type === 'ObjectExpression'
      ? plain.properties.some((each) => each.type === 'Property' && isHandle(each.value))
      : isHandle(plain);
  };
  const own = call.arguments.find((argument, index) => index !== at && has(argument));
  const next = own === undefined ? nextInChain(call) : undefined;
  return own ?? next?.arguments.find(has);
}
