import { libraryOf } from '../model/libraries.ts';
import type { Checkout } from '../typestate/checkout.ts';

/** The first step of a path: where the connection is taken. */
export function takenText({ acquisition: { driver, style, poolText, kept } }: Checkout): string {
  if (libraryOf(driver) === undefined) return `A client is checked out of ${poolText}.`;
  if (style === 'lent' || kept !== undefined)
    return `${poolText} lends a connection to the ${poolText.startsWith('@') ? 'method' : 'callback'}.`;
  return driver.isTransaction
    ? `A transaction of ${poolText} begins and takes a connection.`
    : `A connection is taken from ${poolText}.`;
}
