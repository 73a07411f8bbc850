import type { Checkout } from './checkout.ts';
import type { Entity } from './entities.ts';
import type { SourceFile } from './source-file.ts';

/** Says which functions give their caller a client to release. */
export interface Getters {
  /** True when every path on which the function returns gives back a client that it has just checked out. */
  givesClient(fn: Entity & { kind: 'function' }): boolean;
}

/** `checkoutsOf` follows the checkouts of any file of the project; a file that is being followed already has none yet. */
export function createGetters(checkoutsOf: (file: SourceFile) => readonly Checkout[]): Getters {
  return {
    givesClient: ({ node, file }) => checkoutsOf(file).some((checkout) => checkout.acquisition.style !== 'lent' && checkout.graph.root === node && isAlwaysReturned(checkout)),
  };
}

/** A getter that sometimes returns something else, such as a client kept for later, leaves open who releases it. */
function isAlwaysReturned({ exploration }: Checkout): boolean {
  const exits = exploration.states.filter(({ point }) => point.kind === 'exit');
  return exploration.isComplete && exits.length > 0 && exits.every(({ fact }) => fact.status === 'returned');
}
