import type { Node } from '../syntax/node.ts';
import { isFunction } from '../syntax/node.ts';
import { calledMember } from '../syntax/call-chain.ts';
import { unwrap, type SourceFile } from '../syntax/source-file.ts';
import type { Entity } from './entities.ts';
import type { Resolver } from './resolver.ts';

/** A function that is an argument: written in place, by its name, `this.work`, `this.work.bind(this)`. */
export function functionGiven(
  argument: Node,
  file: SourceFile,
  resolver: Resolver,
): (Entity & { readonly kind: 'function' }) | undefined {
  const plain = unwrap(argument);
  if (isFunction(plain)) return { kind: 'function', node: plain, file };
  if (!isReference(plain)) return undefined;
  const entity = resolver.entityOf(plain, file);
  return entity?.kind === 'function' ? entity : undefined;
}

/** With further arguments, `bind` gives the function others than whoever calls it does. */
function isReference(node: Node): boolean {
  return node.type === 'CallExpression'
    ? calledMember(node) === 'bind' && node.arguments.length < 2
    : node.type === 'Identifier' || node.type === 'MemberExpression';
}
