import type { Memento } from 'vscode';
import type { ConnectionTarget } from '../../database/target.ts';
import type { SizeResult } from '../../probe/result.ts';
import type { LastProbe } from '../live-figures.ts';

const stateKey = 'poolguard.lastProbes';

/** What the last probe of each database recommended, kept for the workspace. */
export class LastProbes {
  readonly #state: Pick<Memento, 'get' | 'update'>;
  readonly #now: () => number;

  constructor(state: Pick<Memento, 'get' | 'update'>, now: () => number = Date.now) {
    this.#state = state;
    this.#now = now;
  }

  of(target: ConnectionTarget): LastProbe | undefined {
    return readLastProbe(this.#all()[placeOf(target)]);
  }

  /** A probe that names no number takes the place of none that did. */
  async keep(target: ConnectionTarget, { recommendation }: SizeResult): Promise<void> {
    if (recommendation === null) return;
    const { max, interval } = recommendation;
    await this.#state.update(stateKey, { ...this.#all(), [placeOf(target)]: { max, interval, at: this.#now() } satisfies LastProbe });
  }

  async forget(target: ConnectionTarget): Promise<void> {
    await this.#state.update(stateKey, Object.fromEntries(Object.entries(this.#all()).filter(([place]) => place !== placeOf(target))));
  }

  #all(): Readonly<Record<string, unknown>> {
    const all = this.#state.get<unknown>(stateKey);
    return typeof all === 'object' && all !== null ? (all as Record<string, unknown>) : {};
  }
}

function placeOf({ host, port, database, user }: ConnectionTarget): string {
  return JSON.stringify([host, port, database, user]);
}

/** What an older or a broken state holds is no probe. */
function readLastProbe(value: unknown): LastProbe | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { max, interval, at } = value as Partial<Record<keyof LastProbe, unknown>>;
  const [low, high] = Array.isArray(interval) ? (interval as readonly unknown[]) : [];
  return isAmount(max) && isAmount(low) && isAmount(high) && isAmount(at) ? { max, interval: [low, high], at } : undefined;
}

function isAmount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}
