import type { Counters, PoolKind } from '../pools/pool-kind.ts';
import type { HeldCheckout, CounterSample, WatchedPool } from '../report.ts';
import { placesOf } from './code-places.ts';
import { type Checkout, checkoutKey, type Marked, type PoolWatch } from './pool-watch.ts';
import type { FindSource } from './source-maps.ts';
import type { CapturedStack } from './stack.ts';
import type { Thread } from './thread.ts';

/** A sample is told twice a second while something changes, else so often. */
const busySampleMs = 500;
export const idleSampleMs = 5_000;

const waitingRule: AlertRule = { raiseAfterMs: 50, clearAfterMs: 1_000 };
const idleRule: AlertRule = { raiseAfterMs: 1_000, clearAfterMs: 1_000 };

/** Clients may finish their work for so long, or for `heldMs` where that is shorter, before `pool.end()` is told as waiting for them. */
const mostFinishingMs = 1_000;

/** Looks at one pool again and again, without keeping it. */
export interface Looker {
  /** Tells what there is to tell. Answers in how many milliseconds it wants to look again. */
  look(pool: object, now: number): number;
  /** What was not told yet of a pool that has ended, or whose thread ends. */
  tellRest(pool: object): void;
  /** The checkouts that are out, and do not come back by themselves. */
  out(pool: object, now: number): readonly HeldCheckout[];
}

export function createLooker(
  watch: PoolWatch,
  { tell, findSource }: Pick<Thread, 'tell' | 'findSource'>,
): Looker {
  let last: { readonly counters: Counters; readonly at: number } | null = null;
  const toHeld: ToHeld = (client, checkout, now) => ({
    pool: watch.id,
    checkout: checkout.id,
    since: Math.round(Date.now() - (now - checkout.outSince)),
    ...watch.kind.session(client),
    acquiredAt: placesOf(checkout.askedFrom, findSource),
  });
  const out = (pool: object, now: number) =>
    checkoutsOut(watch, pool).flatMap(({ client, checkout }) =>
      checkout.isQuery ? [] : toHeld(client, checkout, now),
    );
  const tellEnding = createEndingTeller(watch, { tell, out });
  const tellHeld = createHeldTeller(watch, { tell, toHeld });
  const tellAlerts = createAlertTeller(watch, tell);
  return {
    out,
    tellRest: (pool) => {
      if (watch.isChanged)
        tell({ kind: 'look', look: takeSample(watch.kind.counters(pool), watch) });
    },
    look: (pool, now) => {
      const counters = watch.kind.counters(pool);
      watch.peakWaiting = Math.max(watch.peakWaiting, counters.waiting);
      const { isEnding } = watch.kind.end(pool);
      const nextTold = Math.min(tellHeld(pool, now), tellEnding(pool, now));
      const isTurning = tellAlerts(counters, now);
      const isChanged = watch.isChanged || last === null || differs(last.counters, counters);
      const age = last === null ? Number.POSITIVE_INFINITY : now - last.at;
      if (age >= (isChanged ? busySampleMs : idleSampleMs)) {
        last = { counters, at: now };
        tell({ kind: 'look', look: takeSample(counters, watch) });
        return Math.min(isTurning || isEnding ? watch.settings.sampleMs : idleSampleMs, nextTold);
      }
      return Math.min(
        isChanged || isTurning || isEnding ? watch.settings.sampleMs : idleSampleMs - age,
        nextTold,
      );
    },
  };
}

type ToHeld = (client: object, checkout: Checkout, now: number) => HeldCheckout;

/** Says once of each checkout that it is out for long. Answers in how many milliseconds there may be another one. */
function createHeldTeller(
  watch: PoolWatch,
  { tell, toHeld }: Pick<Thread, 'tell'> & { readonly toHeld: ToHeld },
): (pool: object, now: number) => number {
  return (pool, now) => {
    let next = Number.POSITIVE_INFINITY;
    for (const { client, checkout } of checkoutsOut(watch, pool)) {
      const left = checkout.outSince + watch.settings.heldMs - now;
      if (checkout.isTold) continue;
      if (left > 0) {
        next = Math.min(next, left);
        continue;
      }
      checkout.isTold = true;
      tell({ kind: 'held', held: toHeld(client, checkout, now) });
    }
    return next;
  };
}

/** Says when an alert begins and when it is over. Answers whether one is about to turn. */
function createAlertTeller(
  watch: PoolWatch,
  tell: Thread['tell'],
): (counters: Counters, now: number) => boolean {
  let alerts = { waiting: calm, idle: calm };
  return (counters, now) => {
    const judged = judge(alerts, counters, watch, now);
    for (const alert of ['waiting', 'idle'] as const) {
      if (judged[alert].isOver !== alerts[alert].isOver)
        tell({
          kind: 'alert',
          pool: watch.id,
          alert,
          isOver: judged[alert].isOver,
          ...figure(alert, counters, watch),
        });
    }
    alerts = judged;
    return alerts.waiting.turningSince !== null || alerts.idle.turningSince !== null;
  };
}

/** Says once what `pool.end()` waits for. Answers in how many milliseconds there may be something to say. */
function createEndingTeller(
  watch: PoolWatch,
  { tell, out }: Pick<Thread, 'tell'> & Pick<Looker, 'out'>,
): (pool: object, now: number) => number {
  let since: number | null = null;
  let isTold = false;
  return (pool, now) => {
    const { isEnding, isEnded } = watch.kind.end(pool);
    if (isTold || !isEnding || isEnded) return Number.POSITIVE_INFINITY;
    since ??= now;
    const left = since + Math.min(watch.settings.heldMs, mostFinishingMs) - now;
    if (left > 0) return left;
    const waitedFor = out(pool, now);
    isTold = waitedFor.length > 0;
    if (isTold) tell({ kind: 'ending', pool: watch.id, out: waitedFor });
    return Number.POSITIVE_INFINITY;
  };
}

function differs(a: Counters, b: Counters): boolean {
  return a.total !== b.total || a.idle !== b.idle || a.waiting !== b.waiting || a.max !== b.max;
}

function checkoutsOut(
  { kind }: PoolWatch,
  pool: object,
): readonly { readonly client: object; readonly checkout: Checkout }[] {
  const out: { readonly client: object; readonly checkout: Checkout }[] = [];
  for (const client of kind.lent(pool)) {
    const checkout = (client as Marked)[checkoutKey];
    if (checkout?.state === 'out') out.push({ client, checkout });
  }
  return out;
}

/** Begins to count anew. */
function takeSample(counters: Counters, watch: PoolWatch): CounterSample {
  const { acquired, failed, timedOut, peakWaiting } = watch;
  watch.acquired = 0;
  watch.failed = 0;
  watch.timedOut = 0;
  watch.peakWaiting = counters.waiting;
  watch.isChanged = false;
  return {
    pool: watch.id,
    at: Date.now(),
    ...counters,
    peakWaiting,
    acquired,
    failed,
    timedOut,
    wait: watch.wait.take(),
    hold: watch.hold.take(),
  };
}

interface Alerts {
  readonly waiting: AlertState;
  readonly idle: AlertState;
}

/** A pool that may still grow is not short of idle clients. */
function judge(alerts: Alerts, counters: Counters, { settings }: PoolWatch, now: number): Alerts {
  const { total, waiting, max } = counters;
  const share = total === 0 ? 1 : counters.idle / total;
  const isFull = total > 0 && total >= max;
  return {
    waiting: judgeAlert(
      alerts.waiting,
      { isBad: waiting > settings.alertWaiting, isWell: waiting <= settings.alertWaiting / 2 },
      now,
      waitingRule,
    ),
    idle: judgeAlert(
      alerts.idle,
      {
        isBad: isFull && share < settings.alertIdle,
        isWell: !isFull || share >= Math.min(1, settings.alertIdle * 2),
      },
      now,
      idleRule,
    ),
  };
}

function figure(
  alert: 'waiting' | 'idle',
  { idle, total, waiting }: Counters,
  { settings }: PoolWatch,
): { readonly value: number; readonly threshold: number } {
  return alert === 'waiting'
    ? { value: waiting, threshold: settings.alertWaiting }
    : { value: total === 0 ? 0 : idle / total, threshold: settings.alertIdle };
}

/** Whether a figure is over its threshold, so that a figure at the threshold does not flap. */
export interface AlertState {
  readonly isOver: boolean;
  /** Since when the figure is on the other side, on the clock of `now`; null while it is not. */
  readonly turningSince: number | null;
}

interface AlertRule {
  /** The figure has to be over for so long before it is told. */
  readonly raiseAfterMs: number;
  /** And well again for so long. */
  readonly clearAfterMs: number;
}

export const calm: AlertState = { isOver: false, turningSince: null };

/** `isBad` says that the figure is over its threshold, `isWell` that it is far enough below; between them nothing turns. */
export function judgeAlert(
  state: AlertState,
  { isBad, isWell }: { readonly isBad: boolean; readonly isWell: boolean },
  now: number,
  rule: AlertRule,
): AlertState {
  const isTurning = state.isOver ? isWell : isBad;
  if (!isTurning) return state.turningSince === null ? state : { ...state, turningSince: null };
  const since = state.turningSince ?? now;
  if (now - since < (state.isOver ? rule.clearAfterMs : rule.raiseAfterMs))
    return state.turningSince === null ? { ...state, turningSince: since } : state;
  return { isOver: !state.isOver, turningSince: null };
}

interface Made {
  readonly id: number;
  readonly kind: PoolKind;
  /** What `watchPool` was told. */
  readonly givenName: string | null;
  readonly madeFrom: CapturedStack | null;
  readonly findSource: FindSource;
}

/** What a pool says of itself. Never a password. */
export function describePool(
  pool: object,
  { id, kind, givenName, madeFrom, findSource }: Made,
): WatchedPool {
  const described = kind.describe(pool, madeFrom);
  return {
    id,
    name: givenName ?? described.applicationName ?? `pool ${id}`,
    library: kind.library,
    ...described,
    madeAt: placesOf(madeFrom, findSource)[0] ?? null,
  };
}
