import {
  type Checkout,
  checkoutKey,
  type Entrance,
  type Marked,
  type PoolWatch,
  watchKey,
} from '../../watch/pool-watch.ts';
import type { Counters } from '../pool-kind.ts';
import type { Backend, SqlOptions } from './sql-shape.ts';

/** What holds a connection: a statement under way, a transaction, a reserved connection. Statements may share one. */
export interface Holder extends Marked {
  backend: Backend | null;
}

/** The pool of postgres.js as far as it can be told from its statements: it has no counters, and keeps its queues to itself. */
export class SqlPool implements Marked {
  declare [watchKey]?: PoolWatch;
  readonly options: SqlOptions;
  readonly holders = new Set<Holder>();
  isEnding = false;
  private waiting = 0;
  private opened = 0;
  private closed = 0;
  /** Connections that could not be opened, and of which it was not yet told that they are closed. */
  private unopened = 0;
  /** The process behind each connection, at its last statement. */
  private readonly processes = new WeakMap<Backend, number | null>();

  constructor(options: SqlOptions) {
    this.options = options;
  }

  ask(entrance: Entrance): Checkout | null {
    const watch = this[watchKey];
    const ask = watch?.isOn === true ? watch.ask(entrance) : null;
    if (ask !== null) this.waiting += 1;
    return ask;
  }

  /** The pool has put it in its queue, if it had to. */
  asked(ask: Checkout): void {
    ask.watch.asked(ask, Math.max(0, this.waiting - this.counters().idle - this.room()));
  }

  /** Callers that gave up before, or whose connection could not be opened, have none to hold. */
  acquire(ask: Checkout, backend: Backend | null): Holder | null {
    if (ask.state !== 'asked') return null;
    this.waiting -= 1;
    const holder: Holder = { backend: null };
    this.holders.add(holder);
    this.use(holder, backend);
    ask.watch.acquire(holder, ask);
    return holder;
  }

  use(holder: Holder, backend: Backend | null): void {
    holder.backend = backend;
    if (backend === null || this.processes.get(backend) === backend.pid) return;
    this.processes.set(backend, backend.pid);
    this.opened += 1;
  }

  release(holder: Holder): void {
    if (!this.holders.delete(holder)) return;
    const checkout = holder[checkoutKey];
    if (checkout?.state !== 'out') return;
    checkout.watch.releasing(this, holder, checkout, null);
    checkout.watch.released(checkout);
  }

  gaveUp(ask: Checkout, isUnopened: boolean): void {
    if (ask.state !== 'asked') return;
    this.waiting -= 1;
    if (isUnopened) this.unopened += 1;
    ask.watch.gaveUp(ask, false);
  }

  connectionClosed(): void {
    if (this.unopened > 0) this.unopened -= 1;
    else if (this.closed < this.opened) this.closed += 1;
    this[watchKey]?.change();
  }

  counters(): Counters {
    const used = this.used();
    const total = Math.max(used, this.opened - this.closed);
    return {
      total,
      idle: total - used,
      waiting: Math.max(0, this.waiting - this.room()),
      max: this.options.max,
    };
  }

  end(): { readonly isEnding: boolean; readonly isEnded: boolean } {
    return { isEnding: this.isEnding, isEnded: this.isEnding && this.holders.size === 0 };
  }

  /** Connections that may still be opened for those who ask. */
  private room(): number {
    return Math.max(0, this.options.max - Math.max(this.used(), this.opened - this.closed));
  }

  private used(): number {
    const backends = new Set<Backend>();
    let reserved = 0;
    for (const { backend } of this.holders) {
      if (backend === null) reserved += 1;
      else backends.add(backend);
    }
    return backends.size + reserved;
  }
}
