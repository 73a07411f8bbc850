import * as v from 'valibot';
import type { Memento } from 'vscode';
import { toShortText } from '../../activity/plain-text.ts';
import type { ConnectionTarget } from '../../database/target.ts';
import type { SizeResult } from '../../probe/result.ts';
import type { LastProbe } from '../live-figures.ts';
import { soundEntriesOf, whole } from '../../schema/fields.ts';
import { placeOf } from './probe-place.ts';

const stateKey = 'poolguard.lastProbes';
const longestStatement = 200;

/** What the last probe of each database recommended, kept for the workspace. */
export class LastProbes {
  readonly #state: Pick<Memento, 'get' | 'update'>;
  readonly #now: () => number;

  constructor(state: Pick<Memento, 'get' | 'update'>, now: () => number = Date.now) {
    this.#state = state;
    this.#now = now;
  }

  of(target: ConnectionTarget): LastProbe | undefined {
    return this.#all()[placeOf(target)];
  }

  /** A probe that names no number takes the place of none that did. */
  async keep(target: ConnectionTarget, { recommendation, workload }: SizeResult): Promise<void> {
    if (recommendation === null) return;
    const { max, interval, connectionTimeoutMs } = recommendation;
    const statement = toShortText(
      workload.statements.map(({ text }) => text).join('; '),
      longestStatement,
    );
    await this.#state.update(stateKey, {
      ...this.#all(),
      [placeOf(target)]: {
        max,
        interval,
        connectionTimeoutMs,
        statement,
        at: this.#now(),
      } satisfies LastProbe,
    });
  }

  async forget(target: ConnectionTarget): Promise<void> {
    await this.#state.update(
      stateKey,
      Object.fromEntries(
        Object.entries(this.#all()).filter(([place]) => place !== placeOf(target)),
      ),
    );
  }

  /** What a broken state holds is no probe. */
  #all(): Readonly<Record<string, LastProbe>> {
    return v.parse(KeptProbes, this.#state.get(stateKey));
  }
}

const amount = whole(1, Number.MAX_SAFE_INTEGER);

/** An older one knows less. */
const KeptProbe = v.object({
  max: amount,
  interval: v.strictTuple([amount, amount]),
  connectionTimeoutMs: v.fallback(v.optional(amount), undefined),
  statement: v.fallback(v.optional(v.string()), undefined),
  at: amount,
});

const KeptProbes = v.fallback(soundEntriesOf(KeptProbe), {});
