import type { PoolWatch } from './pool-watch.ts';
import type { CapturedStack } from './stack.ts';

/**
 * A caller's turn with a client, from asking for it to giving it back.
 *
 * asked → out → releasing → back. A caller that gave up is `failed`; pg-pool may still hand it a client, which comes back at once.
 * While `releasing`, listeners of the pool's `release` event may use the client.
 */
export type CheckoutState = 'asked' | 'out' | 'releasing' | 'back' | 'failed';

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
  /** The client came with a transaction that an earlier borrower had left open, who was told of. */
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
