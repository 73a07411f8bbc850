import {
  type Checkout,
  checkoutKey,
  type Entrance,
  type Marked,
  watchKey,
} from '../watch/pool-watch.ts';
import { replaceInClass, type Method } from '../watch/replace-method.ts';

/** The calls of a pool that lends what its owner makes, as generic-pool, tarn and sequelize-pool have them. */
export interface LendingCalls {
  /** What `acquire` gives → the promise of what is lent. */
  readonly promiseOf: (acquired: unknown) => Promise<object>;
  /** Where the application asked, when the stack does not tell. */
  readonly entrance?: () => Entrance | undefined;
  /** Callers in the queue for whom nothing is idle. */
  readonly waiting: (pool: never) => number;
  readonly isTimeout: (error: unknown) => boolean;
  /** Methods that take a lent one out of the pool instead of taking it back. */
  readonly removals: readonly string[];
}

/** Sees what a pool lends and takes back. What each call returns, throws and does, and in which order, is left alone. */
export function followLending(pool: object, calls: LendingCalls): void {
  replaceInClass(pool, 'acquire', watchAcquire(calls));
  replaceInClass(pool, 'release', watchRelease(false));
  for (const name of calls.removals) replaceInClass(pool, name, watchRelease(true));
}

const watchAcquire = (calls: LendingCalls) => (original: Method) =>
  function acquire(this: Marked & object, ...args: unknown[]): unknown {
    const watch = this[watchKey];
    const ask = watch?.isOn === true ? watch.ask(calls.entrance?.()) : null;
    if (watch === undefined || ask === null) return original.apply(this, args);
    const acquired = original.apply(this, args);
    watch.asked(ask, calls.waiting(this as never));
    hear(calls.promiseOf(acquired), ask, calls);
    return acquired;
  };

/** Before its caller does. The libraries that call `acquire` all wait for the promise, so that no failure goes unheard because of this. */
function hear(promise: Promise<object>, ask: Checkout, { isTimeout }: LendingCalls): void {
  void promise.then(
    (lent: Marked & object) => ask.watch.acquire(lent, ask),
    (error: unknown) => ask.watch.gaveUp(ask, isTimeout(error)),
  );
}

const watchRelease = (isRemoved: boolean) => (original: Method) =>
  function release(this: Marked & object, lent: Marked & object, ...rest: unknown[]): unknown {
    const watch = this[watchKey];
    const checkout = lent[checkoutKey];
    if (watch?.isOn !== true || checkout?.state !== 'out')
      return original.call(this, lent, ...rest);
    watch.releasing(this, lent, checkout, isRemoved);
    try {
      return original.call(this, lent, ...rest);
    } finally {
      watch.released(checkout);
    }
  };
