import {
  Checkout,
  checkoutKey,
  type Marked,
  type PoolWatch,
  watchKey,
} from '../../watch/pool-watch.ts';
import {
  type Method,
  ownMethod,
  replaceInClass,
  replaceMethod,
} from '../../watch/replace-method.ts';
import type { InnerClient, InnerPool, Waiting } from './pool-shape.ts';

type MarkedPool = InnerPool & Marked;
type MarkedClient = InnerClient & Marked;
type MarkedWaiting = Waiting & Marked;

/** Put on the class once; a pool without a watch of its own is passed through. */
const patchedKey = Symbol('poolguard-monitor.patched');

/**
 * Puts the monitor between pg-pool's own parts: where a caller asks (`connect`, `query`), where a client is opened for it
 * (`newClient`), handed over (`_acquireClient`), and given back (`_releaseOnce`, or `_release` before 3.1).
 * What each returns, throws and calls, and in which order, is left alone. pg-pool index.js has the same of all these from 2.0 to 3.14.
 */
export function patchPoolClass(prototype: object): void {
  if (Object.hasOwn(prototype, patchedKey)) return;
  Object.defineProperty(prototype, patchedKey, { value: true });
  replaceMethod(prototype, 'connect', watchConnect);
  replaceMethod(prototype, 'query', watchQuery);
  replaceMethod(prototype, 'end', watchEnd);
  replaceMethod(prototype, 'newClient', watchNewClient);
  replaceMethod(prototype, '_acquireClient', watchAcquire);
  if (ownMethod(prototype, '_releaseOnce') === null)
    replaceMethod(prototype, '_release', watchRelease);
  else replaceMethod(prototype, '_releaseOnce', watchReleaseOnce);
}

const watchConnect = (original: Method) =>
  function connect(this: MarkedPool, ...args: unknown[]): unknown {
    const watch = this[watchKey];
    const ask = watch?.isOn === true ? watch.ask() : null;
    if (watch === undefined || ask === null) return original.apply(this, args);
    const outer = watch.asking;
    watch.asking = ask;
    try {
      return original.apply(this, args);
    } finally {
      asked(watch, this, ask);
      watch.asking = outer;
    }
  };

const watchQuery = (original: Method) =>
  function query(this: MarkedPool, ...args: unknown[]): unknown {
    const watch = this[watchKey];
    if (watch === undefined) return original.apply(this, args);
    watch.isQuerying = true;
    try {
      return original.apply(this, args);
    } finally {
      watch.isQuerying = false;
    }
  };

const watchEnd = (original: Method) =>
  function end(this: MarkedPool, ...args: unknown[]): unknown {
    this[watchKey]?.change();
    return original.apply(this, args);
  };

const watchNewClient = (original: Method) =>
  function newClient(this: MarkedPool, item: MarkedWaiting): unknown {
    const watch = this[watchKey];
    const ask = watch?.isOn === true ? (item[checkoutKey] ?? watch.asking ?? undefined) : undefined;
    if (watch === undefined || ask === undefined) return original.call(this, item);
    if (watch.asking === ask) watch.asking = null;
    ask.openingAt = performance.now();
    item[checkoutKey] = ask;
    // The caller is in no queue any more, where pg-pool would look for it by its callback.
    const { callback } = item;
    item.callback = (error, ...rest) => {
      if (error) watch.gaveUp(ask, isTimeout(error));
      callback(error, ...rest);
    };
    return original.call(this, item);
  };

const watchAcquire = (original: Method) =>
  function _acquireClient(
    this: MarkedPool,
    client: MarkedClient,
    item: MarkedWaiting,
    ...rest: unknown[]
  ): unknown {
    const watch = this[watchKey];
    if (watch?.isOn === true) {
      if (client[checkoutKey] === undefined) patchClientClass(client);
      watch.acquire(client, item[checkoutKey] ?? expiredAsk(watch, this, client));
    }
    return original.call(this, client, item, ...rest);
  };

const watchReleaseOnce = (original: Method) =>
  function _releaseOnce(this: MarkedPool, client: MarkedClient, ...rest: unknown[]): unknown {
    const release = original.call(this, client, ...rest) as (error: unknown) => unknown;
    const watch = this[watchKey];
    const checkout = client[checkoutKey];
    if (watch?.isOn !== true || checkout === undefined) return release;
    return (error: unknown) => {
      if (!watch.isOn) return release(error);
      watch.releasing(this, client, checkout, error);
      try {
        return release(error);
      } finally {
        watch.released(checkout);
      }
    };
  };

const watchRelease = (original: Method) =>
  function _release(
    this: MarkedPool,
    client: MarkedClient,
    listener: unknown,
    error: unknown,
  ): unknown {
    const watch = this[watchKey];
    const checkout = client[checkoutKey];
    if (watch?.isOn !== true || checkout === undefined)
      return original.call(this, client, listener, error);
    watch.releasing(this, client, checkout, error);
    try {
      return original.call(this, client, listener, error);
    } finally {
      watch.released(checkout);
    }
  };

function asked(watch: PoolWatch, pool: MarkedPool, ask: Checkout): void {
  const queue: readonly MarkedWaiting[] = pool._pendingQueue;
  if (watch.asking === ask) join(watch, queue.at(-1), pool, ask);
  watch.asked(ask, queue.length - pool._idle.length);
}

function join(
  watch: PoolWatch,
  last: MarkedWaiting | undefined,
  { options }: InnerPool,
  ask: Checkout,
): void {
  if (last === undefined || last[checkoutKey] !== undefined) return watch.gaveUp(ask, false);
  last[checkoutKey] = ask;
  if (options.connectionTimeoutMillis) patchWaitingClass(last);
}

/** pg-pool takes out what is expired to close it, which is not counted. */
function expiredAsk(watch: PoolWatch, pool: InnerPool, client: InnerClient): Checkout | undefined {
  if (pool._expired?.has(client) !== true) return undefined;
  const checkout = new Checkout(watch, performance.now(), false, null);
  checkout.state = 'failed';
  return checkout;
}

/** pg-pool index.js, `newClient`. */
function isTimeout(error: unknown): boolean {
  return (
    error instanceof Error && error.message === 'Connection terminated due to connection timeout'
  );
}

/** Sees who uses a client that was given back. Clients that never were in a watched pool are passed through. */
function patchClientClass(client: object): void {
  replaceInClass(client, 'query', watchClientQuery);
}

const watchClientQuery = (original: Method) =>
  function query(this: Marked, ...args: unknown[]): unknown {
    const checkout = this[checkoutKey];
    if (checkout?.state === 'back') checkout.watch.used(checkout);
    return original.apply(this, args);
  };

/**
 * Sees a caller's time run out. pg-pool says it by setting `timedOut` of the caller's item in the queue (index.js, `connect`), and
 * nothing else of what it does then can be seen without touching the caller's callback or promise.
 */
function patchWaitingClass(item: Waiting): void {
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
