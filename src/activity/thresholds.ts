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
    description: 'Warn when a session is idle in transaction for longer than this many seconds.',
  },
  transactionSeconds: {
    field: 'transactionMs',
    factor: 1_000,
    default: 60,
    minimum: 0,
    maximum: day,
    description: 'Warn when a transaction is open for longer than this many seconds.',
  },
  lockWaitSeconds: {
    field: 'lockWaitMs',
    factor: 1_000,
    default: 5,
    minimum: 0,
    maximum: day,
    description:
      'Warn when a session waits for a lock for longer than this many seconds. The default is a common `connectionTimeoutMillis`, after which callers of a pool time out.',
  },
  waitingSessions: {
    field: 'waitingSessions',
    factor: 1,
    default: 10,
    minimum: 1,
    maximum: 100_000,
    description: 'Warn at this many sessions waiting for locks.',
  },
  idlePercent: {
    field: 'idleShare',
    factor: 0.01,
    default: 10,
    minimum: 0,
    maximum: 100,
    description:
      'Warn when a smaller percentage of the sessions of a pool is idle; 0 turns this off. Pools of fewer than 10 sessions are not checked.',
  },
  keptFree: {
    field: 'keptFree',
    factor: 1,
    default: 10,
    minimum: 0,
    maximum: 100_000,
    description:
      'Warn when fewer connections than this are free. Scaled down on servers with fewer than 100 connections.',
  },
  usedWarningPercent: {
    field: 'usedWarning',
    factor: 0.01,
    default: 80,
    minimum: 1,
    maximum: 100,
    description:
      'Warn when this percentage of the usable connections, or of the limit of a role or database, is in use.',
  },
  usedCriticalPercent: {
    field: 'usedCritical',
    factor: 0.01,
    default: 90,
    minimum: 1,
    maximum: 100,
    description:
      'Report as critical when this percentage of the usable connections, or of the limit of a role or database, is in use.',
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
