import type { Kept } from './acquisition.ts';
import type { CheckoutContext } from './checkout.ts';
import { giveToPool, withAccessPath, type Fact } from './facts.ts';

/** A callback that was lent a connection has ended, and who kept its handle has it still. */
export function afterCallback(fact: Fact, kept: Kept, { accessPaths }: CheckoutContext): Fact {
  const promises = kept.isGiven ? [] : fact.accessPaths.filter(({ value }) => value === 'promise');
  const back = promises.reduce(
    (before, { accessPath }) => withAccessPath(before, accessPath, undefined),
    giveToPool(fact, true),
  );
  return kept.names.reduce((before, name) => {
    const accessPath = accessPaths.accessPathOf(name);
    return accessPath === undefined ? before : withAccessPath(before, accessPath, 'client');
  }, back);
}
