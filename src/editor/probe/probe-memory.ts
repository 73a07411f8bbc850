import type { Memento } from 'vscode';
import type { ConnectionTarget } from '../../database/target.ts';
import type { StatementRequest, WorkloadRequest } from '../../probe/request.ts';
import { placeOf } from './probe-place.ts';

const keys = {
  workloads: 'poolguard.probeWorkloads',
  parameters: 'poolguard.probeParameters',
  agreed: 'poolguard.probesAgreedTo',
} as const;

/** Statements of which the values are remembered. */
const mostStatements = 200;

/** What was said before probes of this workspace: what to run, with which values, and where not to ask again. */
export class ProbeMemory {
  readonly #state: Pick<Memento, 'get' | 'update'>;

  constructor(state: Pick<Memento, 'get' | 'update'>) {
    this.#state = state;
  }

  /** What the last probe of the database ran. */
  workloadOf(target: ConnectionTarget): WorkloadRequest | undefined {
    return readWorkload(this.#record(keys.workloads)[placeOf(target)]);
  }

  async keepWorkload(target: ConnectionTarget, workload: WorkloadRequest): Promise<void> {
    await this.#state.update(keys.workloads, {
      ...this.#record(keys.workloads),
      [placeOf(target)]: workload,
    });
  }

  /** For `$1`, `$2`, … of a statement, as they were typed last; none for one that was never probed. */
  parametersOf(text: string): readonly string[] {
    return readTexts(this.#record(keys.parameters)[text]) ?? [];
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

  /** Of every database; how many there were. */
  async askAgain(): Promise<number> {
    const { length } = this.#agreed();
    await this.#state.update(keys.agreed, undefined);
    return length;
  }

  async forget(target: ConnectionTarget): Promise<void> {
    const place = placeOf(target);
    await this.#state.update(
      keys.agreed,
      this.#agreed().filter((each) => each !== place),
    );
    await this.#state.update(
      keys.workloads,
      Object.fromEntries(
        Object.entries(this.#record(keys.workloads)).filter(([each]) => each !== place),
      ),
    );
  }

  #agreed(): readonly string[] {
    return readTexts(this.#state.get<unknown>(keys.agreed)) ?? [];
  }

  #record(key: string): Readonly<Record<string, unknown>> {
    const value = this.#state.get<unknown>(key);
    return isRecord(value) ? value : {};
  }
}

/** What an older or a broken state holds is no workload. */
function readWorkload(value: unknown): WorkloadRequest | undefined {
  if (!isRecord(value)) return undefined;
  const { kind, count, statements } = value;
  if (kind === 'stand-in') return { kind };
  if (kind === 'top')
    return Number.isSafeInteger(count) && Number(count) > 0
      ? { kind, count: Number(count) }
      : undefined;
  if (kind !== 'statements' || !Array.isArray(statements)) return undefined;
  const read = statements.map(readStatement).filter((statement) => statement !== undefined);
  return read.length === statements.length && read.length > 0
    ? { kind, statements: read }
    : undefined;
}

function readStatement(value: unknown): StatementRequest | undefined {
  if (!isRecord(value)) return undefined;
  const { text, weight } = value;
  const parameters = readTexts(value['parameters']);
  return typeof text === 'string' &&
    typeof weight === 'number' &&
    weight > 0 &&
    parameters !== undefined
    ? { text, weight, parameters }
    : undefined;
}

function readTexts(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
    ? value
    : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
