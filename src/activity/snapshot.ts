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
  readonly isSuperuser: boolean;
  /** Whether this role may end statements and sessions of other ordinary roles. */
  readonly signalsOthers: boolean;
  /** `track_activity_query_size`: bytes after which the server cuts a statement; null when it does not say. */
  readonly queryTextLimit: number | null;
  /** False when the server notes neither states nor statements down (`track_activities`). */
  readonly tracksActivities: boolean;
  /** A pooler stands in between: applications behind it share its sessions. */
  readonly isPooled: boolean;
}

/** How much room is left for client connections. Counts client backends only, Poolguard's own included. */
export interface Headroom {
  readonly maxConnections: number;
  /** `superuser_reserved_connections`. */
  readonly superuserReserved: number;
  /** `reserved_connections` (PostgreSQL 16 and newer, else 0). */
  readonly reserved: number;
  /** `maxConnections` less both reserves. */
  readonly usable: number;
  readonly used: number;
  /** `usable - used`, never below 0: what roles without privileges and limits of their own could still open. */
  readonly free: number;
  /** The used ones, split; the parts add up to `used`. */
  readonly split: {
    readonly active: number;
    /** Active, and waiting for a Lock, LWLock or BufferPin. */
    readonly waiting: number;
    readonly idle: number;
    readonly idleInTransaction: number;
    readonly aborted: number;
    /** Sessions whose state this role may not see. Workers of others' parallel queries may be among them. */
    readonly hidden: number;
    readonly other: number;
    /** Poolguard's own, whatever they do: they take connections, and are no part of what the applications do. */
    readonly own: number;
  };
  /** Of each role and database with a limit and sessions; the role and database of this connection always. */
  readonly limits: readonly ConnectionLimit[];
  readonly forRole: RoleHeadroom;
}

/** `rolconnlimit` or `datconnlimit`, and how far it is used. */
export interface ConnectionLimit {
  readonly scope: 'role' | 'database';
  /** Hostile, as every string of the database. */
  readonly name: string;
  /** Null for none. */
  readonly limit: number | null;
  readonly used: number;
  readonly free: number | null;
  /** The role or database of this connection. */
  readonly isOwn: boolean;
}

/** What the role of this connection could still open in its database. */
export interface RoleHeadroom {
  readonly free: number;
  /** What would end it first. */
  readonly boundBy: 'server' | 'role' | 'database';
  /** Superusers may use the reserves, and are bound by no limit of a role or database. */
  readonly isSuperuser: boolean;
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
  /** ISO 8601; together with `pid` it names a backend permanently, since process ids are reused. */
  readonly backendStart: string;
  readonly user: string | null;
  readonly database: string | null;
  readonly application: string;
  /** Null for a Unix-domain socket. */
  readonly clientAddress: string | null;
  readonly clientPort: number | null;
  readonly state: SessionState;
  /** Null without a transaction, and in a failed one: the server has forgotten by then when it began. */
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

/** Identifies a backend: a process id can be reused, but not together with its start time in microseconds. */
export function sessionKey({ pid, backendStart }: Pick<Session, 'pid' | 'backendStart'>): string {
  return `${pid}@${backendStart}`;
}

/** Seconds between two samples of the server. */
export const intervals = [1, 2, 5, 10] as const;
export type IntervalSeconds = (typeof intervals)[number];
