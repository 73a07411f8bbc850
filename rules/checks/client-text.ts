import { libraryOf } from '../model/libraries.ts';
import type { Checkout } from '../typestate/checkout.ts';

/** The first variable that holds the client; a helper may call it otherwise. */
export function clientName(
  checkout: Checkout,
  states = checkout.exploration.states,
): string | undefined {
  for (const { fact } of states) {
    const [variable] = checkout.variablesWithClient(fact);
    if (variable !== undefined) return variable.name;
  }
  return undefined;
}

/** The client as a message names it: "`client`", or "a client of `pool`" where no variable holds it. */
export function clientText(checkout: Checkout): string {
  const { driver, poolText } = checkout.acquisition;
  const name = clientName(checkout);
  if (name !== undefined) return `\`${name}\``;
  return `a ${libraryOf(driver) === undefined ? 'client' : 'connection'} of \`${poolText}\``;
}
