import { ownMethod } from './pool-shape.ts';
import { checkoutKey, type Marked } from './pool-watch.ts';
import { replaceMethod, type Method } from './replace-method.ts';

const patchedKey = Symbol('poolguard-monitor.patched');

/** Sees who uses a client that was given back. Clients that never were in a watched pool are passed through. */
export function patchClientClass(client: object): void {
  const prototype = ownerOfQuery(client);
  if (prototype === null || Object.hasOwn(prototype, patchedKey)) return;
  Object.defineProperty(prototype, patchedKey, { value: true });
  replaceMethod(prototype, 'query', watchQuery);
}

function ownerOfQuery(client: object): object | null {
  for (
    let at: unknown = Object.getPrototypeOf(client);
    at !== null && typeof at === 'object';
    at = Object.getPrototypeOf(at)
  ) {
    if (ownMethod(at, 'query') !== null) return at;
  }
  return null;
}

const watchQuery = (original: Method) =>
  function query(this: Marked, ...args: unknown[]): unknown {
    const checkout = this[checkoutKey];
    if (checkout?.state === 'back') checkout.watch.used(checkout);
    return original.apply(this, args);
  };
