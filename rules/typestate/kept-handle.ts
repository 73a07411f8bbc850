import type { Kept } from './acquisition.ts';
import type { CheckoutContext } from './checkout.ts';
import { giveToPool, withCell, type Fact } from './facts.ts';

/** A callback that was lent a connection has ended, and who kept its handle has it still. */
export function afterCallback(fact: Fact, kept: Kept, { cells }: CheckoutContext): Fact {
  const promises = kept.isGiven ? [] : fact.cells.filter(({ value }) => value === 'promise');
  const back = promises.reduce(
    (before, { cell }) => withCell(before, cell, undefined),
    giveToPool(fact, true),
  );
  return kept.names.reduce((before, name) => {
    const cell = cells.cellOf(name);
    return cell === undefined ? before : withCell(before, cell, 'client');
  }, back);
}
