import { isQuery } from '../../syntax/calls.ts';
import { type Node, isFunction } from '../../syntax/node.ts';
import {
  findAncestor,
  parentOf,
  unwrap,
  variableOf,
  type SourceFile,
  referencesOf,
} from '../../syntax/source-file.ts';
import type { AbstractValue } from '../abstract-values.ts';
import { isMadeAnew } from '../allocation-sites.ts';
import { nextInChain, lastInChain } from '../../syntax/call-chain.ts';

/**
 * A function makes the pool for itself and waits for each query before the next: nobody else has a client of it, so that each query
 * finds the one that the query before has given back (pg-pool 3.14 `index.js`, `_pulseQueue` takes from `_idle` first).
 */
export function isAskedInTurn(name: Node, pool: AbstractValue, file: SourceFile): boolean {
  const fn = findAncestor(name, isFunction);
  const plain = unwrap(name);
  const variable = variableOf(file, plain);
  if (fn === undefined || variable === undefined || !isMadeAnew(pool, { node: fn, file }))
    return false;
  return referencesOf(variable).every((use) => {
    const call = nextInChain(use);
    return (
      call === undefined ||
      !isQuery(call) ||
      (parentOf(lastInChain(call))?.type === 'AwaitExpression' &&
        findAncestor(call, isFunction) === fn)
    );
  });
}
