import type { CodePlace, HeldCheckout, Report } from '../../monitor/report.ts';
import { listen } from '../../src/running/listener.ts';
import { placeKey, topOf } from '../../src/running/place-key.ts';

/** A line of a service that held clients for longer than the threshold. */
export interface HeldLine {
  readonly place: CodePlace;
  readonly checkouts: number;
  /** Of them never given back. */
  readonly lost: number;
}

export interface PoolWatch extends AsyncDisposable {
  /** What the service needs in its environment. */
  readonly variables: Readonly<Record<string, string>>;
  /** What its monitor has told so far: where the most were lost first, then where the most were held. */
  lines(): readonly HeldLine[];
}

export interface PoolWatchOptions {
  /** The bundle that the service loads first. */
  readonly registerPath: string;
  /** Where the socket is made. */
  readonly folder: string;
  /** A checkout that is out for longer is reported. */
  readonly heldMs: number;
}

/** Listens to the monitor inside a service. */
export async function watchPools({
  registerPath,
  folder,
  heldMs,
}: PoolWatchOptions): Promise<PoolWatch> {
  const held = new Map<string, HeldCheckout>();
  const returned = new Set<string>();
  const keep = (app: string, checkout: HeldCheckout) =>
    held.set(`${app}/${checkout.checkout}`, checkout);
  const onReport = (app: string, report: Report) => {
    if (report.kind === 'held') keep(app, report.held);
    if (report.kind === 'returned') returned.add(`${app}/${report.checkout}`);
    if (report.kind === 'exit') report.out.forEach((checkout) => keep(app, checkout));
  };
  const listener = await listen({
    registerPath,
    folders: [folder],
    onReport,
    onGone: () => undefined,
  });
  return {
    variables: { ...listener.variables(process.env), POOLGUARD_HELD_MS: String(heldMs) },
    lines: () =>
      toLines([...held].map(([key, checkout]) => ({ checkout, isLost: !returned.has(key) }))),
    [Symbol.asyncDispose]: () => listener[Symbol.asyncDispose](),
  };
}

interface Held {
  readonly checkout: HeldCheckout;
  readonly isLost: boolean;
}

function toLines(all: readonly Held[]): readonly HeldLine[] {
  const lines = new Map<string, HeldLine>();
  for (const { checkout, isLost } of all) {
    const place = topOf(checkout.acquiredAt);
    if (place === null) continue;
    const before = lines.get(placeKey(place)) ?? { place, checkouts: 0, lost: 0 };
    lines.set(placeKey(place), {
      place,
      checkouts: before.checkouts + 1,
      lost: before.lost + Number(isLost),
    });
  }
  return [...lines.values()].sort(
    (one, other) => other.lost - one.lost || other.checkouts - one.checkouts,
  );
}
