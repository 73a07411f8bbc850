/** What one look at `pg_stat_activity` gives, as plain data: ages are milliseconds by the server's own clock. */
export interface ActivityReport {
  readonly schemaVersion: 1;
  /** ISO 8601, by the server's clock. */
  readonly takenAt: string;
  readonly server: ServerFacts;
  readonly headroom: Headroom;
  readonly sessions: readonly Session[];
}

export interface ServerFacts {
  /** For example "18.4". */
  readonly version: string;
  /** `server_version_num`, for example 180004. */
  readonly versionNumber: number;
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  /** False when this role may not read other users' sessions (neither superuser nor `pg_read_all_stats`). */
  readonly seesAllSessions: boolean;
  readonly inRecovery: boolean;
}

/** How much room is left for client connections. Counts client backends only, own connection included. */
export interface Headroom {
  readonly maxConnections: number;
  /** `superuser_reserved_connections`. */
  readonly superuserReserved: number;
  /** `reserved_connections` (PostgreSQL 16 and newer, else 0). */
  readonly reserved: number;
  /** `maxConnections` less both reserves. */
  readonly usable: number;
  readonly used: number;
  /** `usable - used`, never below 0. */
  readonly free: number;
  /** The used ones, split; the parts add up to `used`. */
  readonly split: {
    readonly active: number;
    /** Active, and waiting for a Lock, LWLock or BufferPin. */
    readonly waiting: number;
    readonly idle: number;
    readonly idleInTransaction: number;
    readonly aborted: number;
    /** Sessions whose state this role may not see. */
    readonly hidden: number;
    readonly other: number;
  };
}

export type SessionState =
  | 'active'
  | 'idle'
  | 'idle in transaction'
  | 'idle in transaction (aborted)'
  | 'fastpath function call'
  | 'disabled'
  | 'starting'
  /** This role may not see it: state, ages and text are null in `pg_stat_activity`. */
  | 'hidden';

/** One client backend. Every string comes from the database and is hostile. */
export interface Session {
  readonly pid: number;
  /** ISO 8601; together with `pid` it names a backend for good, since process ids are reused. */
  readonly backendStart: string;
  readonly user: string | null;
  readonly database: string | null;
  readonly application: string;
  /** Null for a Unix-domain socket. */
  readonly clientAddress: string | null;
  readonly clientPort: number | null;
  readonly state: SessionState;
  readonly transactionAgeMs: number | null;
  readonly queryAgeMs: number | null;
  /** Time since the last change of state. */
  readonly stateAgeMs: number | null;
  readonly waitEventType: string | null;
  readonly waitEvent: string | null;
  /** True only for Lock, LWLock and BufferPin: `ClientRead` is no wait. */
  readonly isWaiting: boolean;
  readonly blockedBy: readonly number[];
  /** The last statement, cut by the server at `track_activity_query_size`. */
  readonly query: string;
  /** One of Poolguard's own connections. */
  readonly isOwn: boolean;
}
