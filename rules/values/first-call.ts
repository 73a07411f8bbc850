import { askedBy, type Request } from '../syntax/call-chain.ts';
import type { Node, CallNode } from '../syntax/node.ts';
import { unwrap } from '../syntax/source-file.ts';

/** The call nearest to the handle: `db.select()` of `db.select().from(users)`. */
export function firstCall<Asked extends Request>(
  call: Asked,
  isHandle: (node: Node) => boolean,
): Asked | CallNode {
  const node = startOfCall(call);
  return node.type === 'CallExpression' && !isMaker(node) && !isHandle(node)
    ? firstCall(node, isHandle)
    : call;
}

/** `trx('users').insert()`: what a plain name is called for may be the handle, or what it gives. */
export function possibleStarts(
  call: Request,
  isHandle: (node: Node) => boolean,
): readonly Request[] {
  const first = firstCall(call, isHandle);
  const below = startOfCall(first);
  return below.type === 'CallExpression' ? [first, below] : [first];
}

/** `db` of `db.query.users()` */
function startOfCall(call: Request): Node {
  let node: Node = unwrap(askedBy(call));
  while (node.type === 'MemberExpression') node = unwrap(node.object);
  return node;
}

/** `getDb().select()`: a call of a plain name gives the handle. */
export function isMaker({ callee }: CallNode): boolean {
  return unwrap(callee).type === 'Identifier';
}
