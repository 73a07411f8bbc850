import * as v from 'valibot';
import type { ConnectionTarget } from '../../database/target.ts';
import type { WorkloadRequest } from '../../probe/request.ts';
import { placeOf } from './probe-place.ts';
import type { KeptState } from '../kept-state.ts';

const keys = {
  workloads: 'poolguard.probeWorkloads',
  parameters: 'poolguard.probeParameters',
  agreed: 'poolguard.probesAgreedTo',
  owners: 'poolguard.probeOwners',
} as const;

/** Statements of which the values are remembered. */
const mostStatements = 200;

/** What was said before probes of this workspace: what to run, with which values, and where not to ask again. */
export class ProbeMemory {
  readonly #state: KeptState;

  constructor(state: KeptState) {
    this.#state = state;
  }

  /** What the last probe of the database ran. */
  workloadOf(target: ConnectionTarget): WorkloadRequest | undefined {
    return read(KeptWorkload, this.#record(keys.workloads)[placeOf(target)]);
  }

  async keepWorkload(target: ConnectionTarget, workload: WorkloadRequest): Promise<void> {
    await this.#keep(keys.workloads, target, workload);
  }

  /** For `$1`, `$2`, … of a statement, as they were typed last; none for one that was never probed. */
  parametersOf(text: string): readonly string[] {
    return read(Texts, this.#record(keys.parameters)[text]) ?? [];
  }

  async keepParameters(text: string, parameters: readonly string[]): Promise<void> {
    if (parameters.length === 0) return;
    const others = Object.entries(this.#record(keys.parameters)).filter(([each]) => each !== text);
    await this.#state.update(
      keys.parameters,
      Object.fromEntries([...others, [text, parameters] as const].slice(-mostStatements)),
    );
  }

  /** Whether probes of the database need not be asked about. */
  isAgreed(target: ConnectionTarget): boolean {
    return this.#agreed().includes(placeOf(target));
  }

  async agree(target: ConnectionTarget): Promise<void> {
    await this.#state.update(keys.agreed, [...new Set([...this.#agreed(), placeOf(target)])]);
  }

  /** Roles whose code the probes of the database may run. */
  trustedOwnersOf(target: ConnectionTarget): readonly string[] {
    return read(Texts, this.#record(keys.owners)[placeOf(target)]) ?? [];
  }

  async trustOwners(target: ConnectionTarget, names: readonly string[]): Promise<void> {
    await this.#keep(keys.owners, target, [
      ...new Set([...this.trustedOwnersOf(target), ...names]),
    ]);
  }

  /** Of every database, plans and owners; how many there were. */
  async askAgain(): Promise<number> {
    const count = this.#agreed().length + Object.keys(this.#record(keys.owners)).length;
    await this.#state.update(keys.agreed, undefined);
    await this.#state.update(keys.owners, undefined);
    return count;
  }

  async forget(target: ConnectionTarget): Promise<void> {
    const place = placeOf(target);
    await this.#state.update(
      keys.agreed,
      this.#agreed().filter((each) => each !== place),
    );
    for (const key of [keys.workloads, keys.owners])
      await this.#state.update(
        key,
        Object.fromEntries(Object.entries(this.#record(key)).filter(([each]) => each !== place)),
      );
  }

  #keep(key: string, target: ConnectionTarget, value: unknown): PromiseLike<void> {
    return this.#state.update(key, { ...this.#record(key), [placeOf(target)]: value });
  }

  #agreed(): readonly string[] {
    return read(Texts, this.#state.get(keys.agreed)) ?? [];
  }

  #record(key: string): Readonly<Record<string, unknown>> {
    return read(v.record(v.string(), v.unknown()), this.#state.get(key)) ?? {};
  }
}

const Texts = v.array(v.string());

const KeptWorkload = v.variant('kind', [
  v.object({ kind: v.literal('stand-in') }),
  v.object({ kind: v.literal('top'), count: v.pipe(v.number(), v.safeInteger(), v.gtValue(0)) }),
  v.object({
    kind: v.literal('statements'),
    statements: v.pipe(
      v.array(
        v.object({
          text: v.string(),
          weight: v.pipe(v.number(), v.gtValue(0)),
          parameters: Texts,
        }),
      ),
      v.minLength(1),
    ),
  }),
]) satisfies v.GenericSchema<unknown, WorkloadRequest>;

/** What an older or a broken state holds is nothing. */
function read<Kept>(schema: v.GenericSchema<unknown, Kept>, value: unknown): Kept | undefined {
  const kept = v.safeParse(schema, value);
  return kept.success ? kept.output : undefined;
}
