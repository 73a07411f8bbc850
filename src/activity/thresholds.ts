/** What a snapshot may show before it needs a word. */
export interface Thresholds {
  /** Longest time idle in a transaction, in milliseconds. */
  readonly idleInTransactionMs: number;
  /** Longest time a transaction may be open while it works, in milliseconds. */
  readonly transactionMs: number;
  /** Longest time a session may wait for a lock, in milliseconds. */
  readonly lockWaitMs: number;
  /** So many sessions that wait are too many. */
  readonly waitingSessions: number;
  /** Share of a pool's sessions that should be idle, ready for the next caller. */
  readonly idleShare: number;
  /** Connections that should stay free, of a server with a hundred or more. */
  readonly keptFree: number;
  /** Shares of the usable connections that are taken. */
  readonly usedWarning: number;
  readonly usedCritical: number;
}

interface ThresholdRow {
  readonly field: keyof Thresholds;
  /** What one unit of the written number is in the field. */
  readonly factor: number;
  readonly default: number;
  readonly minimum: number;
  readonly maximum: number;
  /** Markdown, whole sentences: what it means, and where the default comes from. */
  readonly description: string;
}

const day = 86_400;

/** Each threshold by the name under which users write it, in settings and after `--threshold`. */
export const thresholdTable = {
  idleInTransactionSeconds: {
    field: 'idleInTransactionMs',
    factor: 1_000,
    default: 60,
    minimum: 0,
    maximum: day,
    description:
      'Seconds that a session may be idle in a transaction. Default: what is not idle for more than a minute is looked at in a pool that is watched.',
  },
  transactionSeconds: {
    field: 'transactionMs',
    factor: 1_000,
    default: 60,
    minimum: 0,
    maximum: day,
    description:
      'Seconds that a transaction may be at work. Default: what is not idle for more than a minute is looked at in a pool that is watched.',
  },
  lockWaitSeconds: {
    field: 'lockWaitMs',
    factor: 1_000,
    default: 5,
    minimum: 0,
    maximum: day,
    description:
      'Seconds that a session may wait for a lock of another one. Default: the usual `connectionTimeoutMillis` of a pool, after which its callers begin to fail.',
  },
  waitingSessions: {
    field: 'waitingSessions',
    factor: 1,
    default: 10,
    minimum: 1,
    maximum: 100_000,
    description:
      'So many sessions that wait for locks are too many. Default: fewer than 10 callers wait in a healthy pool; on the server, sessions that wait for locks are what can be seen of them.',
  },
  idlePercent: {
    field: 'idleShare',
    factor: 0.01,
    default: 10,
    minimum: 0,
    maximum: 100,
    description:
      'Per cent of the sessions of a pool that should be idle, where it has 10 or more; 0 for none. Default: 10 % or more of a healthy pool are idle, ready for the next caller.',
  },
  keptFree: {
    field: 'keptFree',
    factor: 1,
    default: 10,
    minimum: 0,
    maximum: 100_000,
    description:
      'Connections that should stay free for administration. Of a server with fewer than 100 a part as large is meant. Default: 10 of 100 are left out when pools are sized.',
  },
  usedWarningPercent: {
    field: 'usedWarning',
    factor: 0.01,
    default: 80,
    minimum: 1,
    maximum: 100,
    description:
      'Per cent of the usable connections, or of a limit of a role or database, from which their use is a warning. Default: customary in PostgreSQL monitoring.',
  },
  usedCriticalPercent: {
    field: 'usedCritical',
    factor: 0.01,
    default: 90,
    minimum: 1,
    maximum: 100,
    description:
      'Per cent of the usable connections, or of a limit of a role or database, from which their use is critical. Default: customary in PostgreSQL monitoring.',
  },
} as const satisfies Readonly<Record<string, ThresholdRow>>;

export type ThresholdName = keyof typeof thresholdTable;
export type ThresholdValues = Readonly<Partial<Record<ThresholdName, number>>>;

export const thresholdNames = Object.keys(thresholdTable) as readonly ThresholdName[];

/** Of written numbers; those that are missing have their defaults. */
export function toThresholds(values: ThresholdValues = {}): Thresholds {
  return Object.fromEntries(
    thresholdNames.map((name) => [
      thresholdTable[name].field,
      (values[name] ?? thresholdTable[name].default) * thresholdTable[name].factor,
    ]),
  ) as unknown as Thresholds;
}

export const defaultThresholds: Thresholds = toThresholds();
