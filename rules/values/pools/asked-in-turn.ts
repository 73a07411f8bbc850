import { isQuery } from '../../syntax/calls.ts';
import { type Node, isFunction } from '../../syntax/node.ts';
import {
  findAncestor,
  parentOf,
  unwrap,
  variableOf,
  type SourceFile,
} from '../../syntax/source-file.ts';
import type { AbstractValue } from '../abstract-values.ts';
import { isMadeAnew } from '../allocation-sites.ts';

/**
 * A function makes the pool for itself and waits for each query before the next: nobody else has a client of it, so that each query
 * finds the one that the query before has given back (pg-pool 3.14 `index.js`, `_pulseQueue` takes from `_idle` first).
 */
export function isAskedInTurn(name: Node, pool: AbstractValue, file: SourceFile): boolean {
  const fn = findAncestor(name, isFunction);
  const plain = unwrap(name);
  const variable = plain.type === 'Identifier' ? variableOf(file, plain) : undefined;
  if (fn === undefined || variable === undefined || !isMadeAnew(pool, { node: fn, file }))
    return false;
  return variable.references.every(({ identifier }) => {
    const use = identifier as unknown as Node;
    const call = queryOver(use);
    return (
      call === undefined ||
      (parentOf(wholeChain(call))?.type === 'AwaitExpression' &&
        findAncestor(call, isFunction) === fn)
    );
  });
}

function queryOver(pool: Node): Node | undefined {
  const member = parentOf(pool);
  const call =
    member?.type === 'MemberExpression' && member.object === pool ? parentOf(member) : undefined;
  return call?.type === 'CallExpression' && call.callee === member && isQuery(call)
    ? call
    : undefined;
}

/** `pool.query(…).catch(log)` */
function wholeChain(call: Node): Node {
  const member = parentOf(call);
  const next = member?.type === 'MemberExpression' ? parentOf(member) : undefined;
  return next?.type === 'CallExpression' && next.callee === member ? wholeChain(next) : call;
}
