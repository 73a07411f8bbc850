import { checkoutKey, type Marked } from '../../watch/pool-watch.ts';
import type { Waiting } from './pool-shape.ts';

const patchedKey = Symbol('poolguard-monitor.patched');

/**
 * Sees a caller's time run out. pg-pool says it by setting `timedOut` of the caller's item in the queue (index.js, `connect`), and
 * nothing else of what it does then can be seen without touching the caller's callback or promise.
 */
export function patchWaitingClass(item: Waiting): void {
  const prototype: unknown = Object.getPrototypeOf(item);
  if (
    typeof prototype !== 'object' ||
    prototype === null ||
    prototype === Object.prototype ||
    Object.hasOwn(prototype, patchedKey)
  )
    return;
  Object.defineProperty(prototype, patchedKey, { value: true });
  Object.defineProperty(prototype, 'timedOut', {
    configurable: true,
    get: () => undefined,
    set(this: Marked, value: unknown) {
      Object.defineProperty(this, 'timedOut', {
        value,
        writable: true,
        enumerable: true,
        configurable: true,
      });
      const ask = this[checkoutKey];
      if (value === true && ask !== undefined) ask.watch.gaveUp(ask, true);
    },
  });
}
