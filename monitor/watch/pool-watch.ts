import type { PoolKind } from '../pools/pool-kind.ts';
import type { Mistake } from '../report.ts';
import type { Settings } from '../settings.ts';
import { placesOf } from './code-places.ts';
import { type CapturedStack, captureStack } from './stack.ts';
import type { Thread } from './thread.ts';
import { createTimesRecorder } from './times.ts';

/** Where the application asked for what a library does later, or elsewhere. */
export interface Entrance {
  readonly from: CapturedStack | null;
  /** One statement, whose connection comes back by itself. */
  readonly isQuery: boolean;
}

/**
 * A caller's turn with a client, from asking for it to giving it back.
 *
 * asked → out → releasing → back. A caller that gave up is `failed`; pg-pool may still hand it a client, which comes back at once.
 * While `releasing`, listeners of the pool's `release` event may use the client.
 */
type CheckoutState = 'asked' | 'out' | 'releasing' | 'back' | 'failed';

/** One object for each checkout, written in place: it is made in the application's busiest path. */
export class Checkout {
  readonly watch: PoolWatch;
  readonly askedAt: number;
  /** The caller is pg-pool's own `query`, which gives the client back by itself. */
  readonly isQuery: boolean;
  readonly askedFrom: CapturedStack | null;
  state: CheckoutState = 'asked';
  id = 0;
  /** When a new connection was begun for it; 0 when it needed none. */
  openingAt = 0;
  /** A client was idle when it was asked for. */
  isServedAtOnce = false;
  outSince = 0;
  /** Told as held for too long. */
  isTold = false;
  releasedFrom: CapturedStack | null = null;
  /** The client came with a transaction that an earlier borrower had left open, who was reported. */
  isInherited = false;
  /** It was given back with an open transaction. */
  leftOpen = false;

  constructor(
    watch: PoolWatch,
    askedAt: number,
    isQuery: boolean,
    askedFrom: CapturedStack | null,
  ) {
    this.watch = watch;
    this.askedAt = askedAt;
    this.isQuery = isQuery;
    this.askedFrom = askedFrom;
  }
}

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
  readonly kind: PoolKind;
  /** `watchPool` may change them. */
  settings: Settings;
  readonly wait = createTimesRecorder();
  readonly hold = createTimesRecorder();
  isOn = true;
  /** The call that asks for a client and is being made, until its place in the queue is known. */
  asking: Checkout | null = null;
  /** A call is being made that takes a client for one statement. */
  isQuerying = false;
  /** Where what is being done now was asked for, when that is not the stack of now. */
  entrance: Entrance | null = null;
  /** `max` was made smaller while clients were out. */
  isShrunk = false;
  /** Something happened since the last sample. */
  isChanged = true;
  /** The time, while a client is given back: the next caller in the queue gets it at the same moment. Else 0. */
  releasingAt = 0;
  peakWaiting = 0;
  acquired = 0;
  failed = 0;
  timedOut = 0;
  private readonly thread: Thread;

  constructor(id: number, kind: PoolKind, settings: Settings, thread: Thread) {
    this.id = id;
    this.kind = kind;
    this.settings = settings;
    this.thread = thread;
  }

  ask(entrance = this.entrance): Checkout | null {
    try {
      const now = performance.now();
      const isQuery = this.isQuerying || entrance?.isQuery === true;
      this.isQuerying = false;
      this.change();
      return new Checkout(
        this,
        now,
        isQuery,
        this.settings.stacks ? (entrance?.from ?? this.stackOf(isQuery, now)) : null,
      );
    } catch (error) {
      this.thread.fail(error);
      return null;
    }
  }

  /** Does work that was asked for at another place; only what happens before it returns belongs to it. */
  enterFrom<T>(entrance: Entrance, work: () => T): T {
    const outer = this.entrance;
    this.entrance = entrance;
    try {
      return work();
    } finally {
      this.entrance = outer;
    }
  }

  /** Where one statement is made that is sent later; null where nothing is kept. */
  whereMade(): CapturedStack | null {
    return this.settings.stacks && this.thread.stacks.take(performance.now())
      ? captureStack()
      : null;
  }

  /** The call is over: its caller is in the queue, on its way to a new client, or has been turned away. So many more wait than clients are idle. */
  asked(ask: Checkout, waiting: number): void {
    try {
      if (waiting > this.peakWaiting) this.peakWaiting = waiting;
      // A caller for whom a client is idle is in the queue until the next tick only: that is no wait, and spares a look at the clock.
      ask.isServedAtOnce = waiting <= 0 && ask.openingAt === 0;
    } catch (error) {
      this.thread.fail(error);
    }
  }

  acquire(client: Marked, ask: Checkout | undefined): void {
    try {
      // Callers may have been in the queue before the pool was watched.
      const checkout = ask ?? new Checkout(this, performance.now(), false, null);
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

  /** Before the pool takes the client back, or refuses to; it closes one that comes with an error. */
  releasing(pool: object, client: object, checkout: Checkout, error: unknown): void {
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
      if (this.isShrunk) this.kind.leaveIfTooMany?.(pool, client);
      this.change();
    } catch (problem) {
      this.thread.fail(problem);
    }
  }

  /** After the pool has taken the client back, and may have lent it to the next caller. */
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

  /** What takes one statement comes back by itself: at a high rate its stacks are not worth their price. */
  private stackOf(isQuery: boolean, now: number): CapturedStack | null {
    return !isQuery || this.thread.stacks.take(now) ? captureStack() : null;
  }

  /** Only who left it open is reported; later borrowers find it so. */
  private judgeTransaction(client: object, checkout: Checkout): void {
    checkout.leftOpen = this.kind.hasOpenTransaction?.(client) === true;
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
