import { checkoutKey, type Marked } from '../../watch/pool-watch.ts';
import { replaceInClass, type Method } from '../../watch/replace-method.ts';

/** Sees who uses a client that was given back. Clients that never were in a watched pool are passed through. */
export function patchClientClass(client: object): void {
  replaceInClass(client, 'query', watchQuery);
}

const watchQuery = (original: Method) =>
  function query(this: Marked, ...args: unknown[]): unknown {
    const checkout = this[checkoutKey];
    if (checkout?.state === 'back') checkout.watch.used(checkout);
    return original.apply(this, args);
  };
