import type { PoolOptionValues } from '../../server/asked.ts';
import type { PoolDeclaration } from '../../server/protocol.ts';
import type { LastProbe } from '../live-figures.ts';
import { probeText } from './figures-text.ts';

/** An option of a pool that can be written into the code, and what is proposed. */
export interface OptionChoice {
  readonly option: keyof PoolOptionValues;
  readonly proposed: number;
  /** What the pool does now. */
  readonly now: string;
  /** Why this number. */
  readonly because: string;
  /** Whether the proposal would change something for the better. */
  readonly isAdvised: boolean;
  readonly smallest: number;
}

const proposedMs = { connectionTimeoutMillis: 5000, idleTimeoutMillis: 10_000 };

/** A row each for the options that bound a pool. */
export function optionChoices(
  pool: PoolDeclaration,
  lastProbe: LastProbe | undefined,
): readonly OptionChoice[] {
  const { max, isMaxDefault, idleTimeoutMillis: idle } = pool;
  return [
    {
      option: 'max',
      proposed: lastProbe?.max ?? max ?? 10,
      now:
        max === undefined
          ? 'not set in the code'
          : `${max}${isMaxDefault ? ', the driver’s default' : ''}`,
      because:
        lastProbe === undefined
          ? 'the maximum number of clients; a probe can recommend one'
          : `the last probe recommends ${probeText(lastProbe)}`,
      isAdvised: lastProbe !== undefined && lastProbe.max !== max,
      smallest: 1,
    },
    timeoutChoice(pool, lastProbe),
    {
      option: 'idleTimeoutMillis',
      proposed: idle || proposedMs.idleTimeoutMillis,
      now: idle === 0 ? 'never closes idle clients' : toText(idle),
      because: 'how long an idle client stays open; 0 disables the timeout',
      isAdvised: false,
      smallest: 0,
    },
  ];
}

function timeoutChoice(
  { connectionTimeoutMillis: timeout }: PoolDeclaration,
  lastProbe: LastProbe | undefined,
): OptionChoice {
  return {
    option: 'connectionTimeoutMillis',
    proposed: timeout || (lastProbe?.connectionTimeoutMs ?? proposedMs.connectionTimeoutMillis),
    now: timeout === 0 ? 'waits indefinitely' : toText(timeout),
    because: 'how long a caller waits for a client; 0 disables the timeout',
    isAdvised: timeout === 0,
    smallest: 0,
  };
}

/** What the last probe recommends and the pool does not do yet. */
export function measuredOptions(
  {
    max,
    connectionTimeoutMillis: timeout,
  }: Pick<PoolDeclaration, 'max' | 'connectionTimeoutMillis'>,
  lastProbe: LastProbe,
): PoolOptionValues {
  const { connectionTimeoutMs } = lastProbe;
  return {
    ...(lastProbe.max !== max && { max: lastProbe.max }),
    ...(connectionTimeoutMs !== timeout && { connectionTimeoutMillis: connectionTimeoutMs }),
  };
}

/** Milliseconds that a timer of Node can wait, and more clients than any server accepts. */
const largest = 2_147_483_647;

/** The number that somebody typed for an option, or a sentence about what is wrong with it. */
export function readOptionNumber(
  typed: string,
  { option, smallest }: Pick<OptionChoice, 'option' | 'smallest'>,
): number | string {
  const value = /^\s*\d{1,10}\s*$/u.test(typed) ? Number(typed) : Number.NaN;
  return value >= smallest && value <= largest
    ? value
    : `${option} is a whole number, ${smallest} or more.`;
}

function toText(value: number | undefined): string {
  return value === undefined ? 'not set in the code' : `${value}`;
}
