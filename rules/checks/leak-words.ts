import { libraryOf } from '../model/libraries.ts';
import type { Checkout } from '../typestate/checkout.ts';

export type Leak =
  'neverReleased' | 'notReleasedOnSomePath' | 'notReleasedOnThrow' | 'acquiredAgain';

interface Words {
  readonly messages: Readonly<Record<Leak, string>>;
  readonly noPath: string;
  readonly still: string;
  readonly again: string;
}

const ofClient: Words = {
  messages: {
    neverReleased: 'neverReleased',
    notReleasedOnSomePath: 'notReleasedOnSomePath',
    notReleasedOnThrow: 'notReleasedOnThrow',
    acquiredAgain: 'acquiredAgain',
  },
  noPath: 'No path releases the client.',
  still: 'The client is still checked out.',
  again: 'The same call checks out another client while the first one is still checked out.',
};

const ofTransaction: Words = {
  messages: {
    neverReleased: 'neverEnded',
    notReleasedOnSomePath: 'notEndedOnSomePath',
    notReleasedOnThrow: 'notEndedOnThrow',
    acquiredAgain: 'begunAgain',
  },
  noPath: 'No path commits or rolls it back.',
  still: 'The transaction is still open.',
  again: 'The same call begins another transaction while the first one is still open.',
};

const ofConnection: Words = {
  ...ofClient,
  messages: { ...ofClient.messages, neverReleased: 'connectionNeverReleased' },
};

/** How a leak is reported, by what was taken. */
export function wordsOf({ acquisition: { driver, mayBeBorrowed } }: Checkout): Words {
  if (driver.isTransaction) return ofTransaction;
  return mayBeBorrowed !== true && libraryOf(driver) === undefined ? ofClient : ofConnection;
}
