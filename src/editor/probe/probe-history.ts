import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { toShortText } from '../../activity/plain-text.ts';
import { redactSql } from '../../activity/redact-sql.ts';
import type { ConnectionTarget } from '../../database/target.ts';
import type { SizeResult } from '../../probe/result.ts';
import { soundOf, text, whole, type OutputOf } from '../../schema/fields.ts';
import type { ProbeHistory as ShownHistory } from '../../webview/to-view.ts';
import type { LastProbe } from '../live-figures.ts';
import { placeOf } from './probe-place.ts';
import type { KeptState } from '../kept-state.ts';

const stateKey = 'poolguard.probeHistory';
const mostOfOneStatement = 20;
const mostOfAll = 500;
const longestStatement = 200;

const amount = whole(1, Number.MAX_SAFE_INTEGER);

/** What is kept of a probe that named a number: neither a password, nor a value, nor a literal of its statement. */
const KeptProbe = v.object({
  /** The database. */
  place: text,
  /** A hash of the statement's text. */
  key: text,
  statement: text,
  max: amount,
  interval: v.strictTuple([amount, amount]),
  connectionTimeoutMs: amount,
  /** The version of PostgreSQL. */
  server: text,
  at: amount,
});
type KeptProbe = OutputOf<typeof KeptProbe>;

/** What a broken state holds is no probe. */
const KeptProbes = v.fallback(soundOf(KeptProbe, mostOfAll), []);

/** What the probes of each statement and database recommended, the newest first, kept for the workspace. */
export class ProbeHistory {
  readonly #state: KeptState;
  readonly #now: () => number;
  #all: readonly KeptProbe[];

  constructor(state: KeptState, now: () => number = Date.now) {
    this.#state = state;
    this.#now = now;
    this.#all = v.parse(KeptProbes, state.get(stateKey));
  }

  /** The last one of a database: the same object until there is another. */
  last(target: ConnectionTarget): LastProbe | undefined {
    const place = placeOf(target);
    return this.#all.find((each) => each.place === place);
  }

  /** Those of the statement that a result is about, without one of the statement that was probed last; null when there are none. */
  of(target: ConnectionTarget, result: SizeResult | undefined): ShownHistory | null {
    const here = this.#all.filter(({ place }) => place === placeOf(target));
    const key = result === undefined ? here[0]?.key : keyOf(result);
    const runs = here.filter((each) => each.key === key);
    return runs[0] === undefined
      ? null
      : {
          statement: runs[0].statement,
          runs: runs.map(({ at, max, interval, server }) => ({ at, max, interval, server })),
        };
  }

  /** A probe that names no number is not kept. */
  async keep(target: ConnectionTarget, result: SizeResult): Promise<void> {
    if (result.recommendation === null) return;
    const { max, interval, connectionTimeoutMs } = result.recommendation;
    const { place, key } = { place: placeOf(target), key: keyOf(result) };
    const statement = redactSql(textOf(result), longestStatement);
    const server = toShortText(result.server.version, 40);
    const probe = {
      place,
      key,
      statement,
      max,
      interval,
      connectionTimeoutMs,
      server,
      at: this.#now(),
    };
    const isSame = (each: KeptProbe) => each.place === place && each.key === key;
    const before = this.#all.filter(isSame).slice(0, mostOfOneStatement - 1);
    await this.#set([probe, ...this.#all.filter((each) => !isSame(each) || before.includes(each))]);
  }

  async forget(target: ConnectionTarget): Promise<void> {
    await this.#set(this.#all.filter(({ place }) => place !== placeOf(target)));
  }

  async #set(all: readonly KeptProbe[]): Promise<void> {
    this.#all = all.slice(0, mostOfAll);
    await this.#state.update(stateKey, this.#all);
  }
}

function keyOf(result: SizeResult): string {
  return createHash('sha256').update(textOf(result)).digest('base64');
}

function textOf({ workload }: SizeResult): string {
  return workload.statements.map((each) => each.text).join('; ');
}
