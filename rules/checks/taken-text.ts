import { libraryOf } from '../model/libraries.ts';
import type { Checkout } from '../typestate/checkout.ts';

/** The first step of a path: where the connection is taken. */
export function takenText({ acquisition: { driver, poolText } }: Checkout): string {
  return libraryOf(driver) === undefined
    ? `A client is checked out of ${poolText}.`
    : `${poolText} lends a connection to the callback.`;
}
