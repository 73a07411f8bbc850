import type { Settings } from '../settings.ts';
import type { Mistake } from '../report.ts';
import { Checkout } from './checkout.ts';
import { placesOf } from './code-places.ts';
import { patchWaitingClass } from './patch-waiting.ts';
import type { InnerClient, InnerPool, Waiting } from './pool-shape.ts';
import { leaveIfTooMany } from './set-max.ts';
import { captureStack, type CapturedStack } from './stack.ts';
import type { Thread } from './thread.ts';
import { createTimesRecorder } from './times.ts';

/** Where a pool keeps its watch, a client its checkout, and a caller in the queue its ask: hidden from whoever lists their members. */
export const watchKey = Symbol('poolguard-monitor.watch');
export const checkoutKey = Symbol('poolguard-monitor.checkout');

export interface Marked {
  [watchKey]?: PoolWatch;
  [checkoutKey]?: Checkout;
}

/**
 * What is known of one pool. The methods up to `gaveUp` are called on the application's way: they neither throw nor wait, and count in
 * fields that `look` reads and clears.
 */
export class PoolWatch {
  readonly id: number;
  /** `watchPool` may change them. */
  settings: Settings;
  readonly wait = createTimesRecorder();
  readonly hold = createTimesRecorder();
  isOn = true;
  /** The call of `connect` that is being made, until its place in the queue is known. */
  asking: Checkout | null = null;
  /** A call of the pool's own `query` is being made. */
  isQuerying = false;
  /** `max` was made smaller while clients were out. */
  isShrunk = false;
  /** Something happened since the last look. */
  isChanged = true;
  /** The time, while a client is given back: the next caller in the queue gets it at the same moment. Else 0. */
  releasingAt = 0;
  peakWaiting = 0;
  acquired = 0;
  failed = 0;
  timedOut = 0;
  private readonly thread: Thread;

  constructor(id: number, settings: Settings, thread: Thread) {
    this.id = id;
    this.settings = settings;
    this.thread = thread;
  }

  ask(): Checkout | null {
    try {
      const now = performance.now();
      const { isQuerying } = this;
      this.isQuerying = false;
      this.change();
      // What pg-pool's own `query` takes comes back by itself: at a high rate its stacks are not worth their price.
      const isKept = this.settings.stacks && (!isQuerying || this.thread.stacks.take(now));
      return new Checkout(this, now, isQuerying, isKept ? captureStack() : null);
    } catch (error) {
      this.thread.fail(error);
      return null;
    }
  }

  /** The call is over: its caller is in the queue, on its way to a new client, or has been turned away. */
  asked(pool: InnerPool, ask: Checkout): void {
    try {
      const queue = pool._pendingQueue;
      if (this.asking === ask) this.join(queue.at(-1), pool, ask);
      const waiting = queue.length - pool._idle.length;
      if (waiting > this.peakWaiting) this.peakWaiting = waiting;
      // A caller for whom a client is idle is in the queue until the next tick only: that is no wait, and spares a look at the clock.
      ask.isServedAtOnce = waiting <= 0 && ask.openingAt === 0;
    } catch (error) {
      this.thread.fail(error);
    }
  }

  acquire(pool: InnerPool, client: InnerClient & Marked, ask: Checkout | undefined): void {
    try {
      const checkout = ask ?? this.unasked(pool, client);
      const now = checkout.isServedAtOnce
        ? checkout.askedAt
        : this.releasingAt || performance.now();
      checkout.id = this.thread.nextCheckout();
      checkout.outSince = now;
      checkout.isInherited = client[checkoutKey]?.leftOpen === true;
      mark(client, checkout);
      if (checkout.state === 'failed') return;
      checkout.state = 'out';
      this.acquired += 1;
      this.record('wait', now - checkout.askedAt);
      if (checkout.openingAt > 0)
        this.thread.measured?.(this.id, 'create', now - checkout.openingAt);
      this.change();
    } catch (error) {
      this.thread.fail(error);
    }
  }

  /** Before pg-pool takes the client back, or refuses to. */
  releasing(pool: InnerPool, client: InnerClient, checkout: Checkout, error: unknown): void {
    try {
      if (checkout.state === 'releasing' || checkout.state === 'back') {
        this.mistake('double-release', checkout, captureStack());
        return;
      }
      const now = performance.now();
      const wasOut = checkout.state === 'out';
      this.releasingAt = now;
      checkout.state = 'releasing';
      if (this.settings.stacks && !checkout.isQuery && this.thread.stacks.take(now))
        checkout.releasedFrom = captureStack();
      if (wasOut) this.record('hold', now - checkout.outSince);
      if (checkout.isTold)
        this.thread.tell({
          kind: 'returned',
          pool: this.id,
          checkout: checkout.id,
          forMs: now - checkout.outSince,
        });
      if (!error) this.judgeTransaction(client, checkout);
      if (this.isShrunk) leaveIfTooMany(pool, client);
      this.change();
    } catch (problem) {
      this.thread.fail(problem);
    }
  }

  /** After pg-pool has taken the client back, and may have lent it to the next caller. */
  released(checkout: Checkout): void {
    this.releasingAt = 0;
    if (checkout.state === 'releasing') checkout.state = 'back';
  }

  used(checkout: Checkout): void {
    try {
      if (checkout.state === 'back') this.mistake('use-after-release', checkout, captureStack());
    } catch (error) {
      this.thread.fail(error);
    }
  }

  gaveUp(ask: Checkout, isTimeout: boolean): void {
    if (ask.state !== 'asked') return;
    ask.state = 'failed';
    this.failed += 1;
    if (isTimeout) this.timedOut += 1;
    this.change();
  }

  /** Something happened that should be looked at soon. */
  change(): void {
    if (this.isChanged) return;
    this.isChanged = true;
    this.thread.quicken();
  }

  private join(last: (Waiting & Marked) | undefined, { options }: InnerPool, ask: Checkout): void {
    if (last === undefined || last[checkoutKey] !== undefined) return this.gaveUp(ask, false);
    last[checkoutKey] = ask;
    if (options.connectionTimeoutMillis) patchWaitingClass(last);
  }

  /** Callers may have been in the queue before the pool was watched, and pg-pool takes out what is expired to close it, which is not counted. */
  private unasked(pool: InnerPool, client: InnerClient): Checkout {
    const checkout = new Checkout(this, performance.now(), false, null);
    if (pool._expired?.has(client) === true) checkout.state = 'failed';
    return checkout;
  }

  /** Only who left it open is told of; later borrowers find it so. */
  private judgeTransaction(client: InnerClient, checkout: Checkout): void {
    checkout.leftOpen = hasOpenTransaction(client);
    if (checkout.leftOpen && !checkout.isInherited)
      this.mistake('open-transaction', checkout, checkout.releasedFrom);
  }

  private mistake(
    mistake: Mistake['mistake'],
    { askedFrom, releasedFrom }: Checkout,
    misusedFrom: CapturedStack | null,
  ): void {
    if (!this.thread.mistakes.take(performance.now())) return;
    const places = (stack: CapturedStack | null) =>
      this.settings.stacks ? placesOf(stack, this.thread.findSource) : [];
    const stacks = {
      acquiredAt: places(askedFrom),
      releasedAt: places(releasedFrom),
      misusedAt: places(misusedFrom),
    };
    this.thread.tell({
      kind: 'mistake',
      mistake: { pool: this.id, mistake, at: Date.now(), ...stacks },
    });
  }

  private record(what: 'wait' | 'hold', ms: number): void {
    this[what].record(ms);
    this.thread.measured?.(this.id, what, ms);
  }
}

/** A property that nobody sees who lists the client's members; made once for each client. */
function mark(client: Marked, checkout: Checkout): void {
  if (client[checkoutKey] === undefined)
    Object.defineProperty(client, checkoutKey, {
      value: checkout,
      writable: true,
      configurable: true,
      enumerable: false,
    });
  else client[checkoutKey] = checkout;
}

/** Only when nothing is under way on the client, such as a ROLLBACK that nobody waits for. */
function hasOpenTransaction(client: InnerClient): boolean {
  const status = client.getTransactionStatus?.();
  if (status !== 'T' && status !== 'E') return false;
  return (
    client.readyForQuery === true &&
    client._activeQuery === null &&
    client._queryQueue?.length === 0
  );
}
