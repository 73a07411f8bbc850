import { isRequest } from '../syntax/call-chain.ts';
import type { SourceFile } from '../syntax/source-file.ts';
import type { Checkout } from '../typestate/checkout.ts';
import { writtenOption } from '../values/pools/declared-pools.ts';
import { numberOf } from '../values/pools/option-number.ts';
import { optionsOf, type Written } from '../values/pools/pool-options.ts';
import type { Resolver } from '../values/resolver.ts';
import { poolsHeldBy } from './pool-needs.ts';

/** The pool keeps connections whose statement still runs: it is made with a `query_timeout`. */
export function givesUpOnStatements(
  { acquisition: { call } }: Checkout,
  file: SourceFile,
  resolver: Resolver,
): boolean {
  return (
    isRequest(call) && poolsHeldBy(call, file, resolver).some(({ pool }) => givesUp(pool, resolver))
  );
}

function givesUp({ node, file }: Written, resolver: Resolver): boolean {
  const pool = resolver.abstractValueOf(node, file);
  const made = pool?.kind === 'pool' ? pool.site : undefined;
  if (made?.node.type !== 'NewExpression') return false;
  const options = optionsOf(made.node, made.file, resolver);
  const written = writtenOption(options, 'query_timeout', made.node, made.file, resolver);
  if (written === null || written === undefined) return false;
  const millis = numberOf(written);
  return millis === undefined || ('value' in millis && millis.value !== 0);
}
