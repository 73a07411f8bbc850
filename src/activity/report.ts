import type { ActivityReport, Headroom, Session, SessionState } from './snapshot.ts';

/** One row of the activity statement, as the driver gives it. */
export interface ActivityRow {
  readonly taken_at: string;
  readonly version: string;
  readonly version_number: number;
  readonly current_database: string;
  readonly current_role: string;
  readonly sees_all: boolean;
  readonly in_recovery: boolean;
  readonly max_connections: number;
  readonly superuser_reserved: number;
  readonly reserved: number;
  readonly own_pid: number;
  readonly pid: number;
  readonly is_hidden: boolean;
  readonly backend_start: string | null;
  readonly user_name: string | null;
  readonly database_name: string | null;
  readonly application: string | null;
  readonly client_address: string | null;
  readonly client_port: number | null;
  readonly state: string | null;
  readonly transaction_age_ms: number | null;
  readonly query_age_ms: number | null;
  readonly state_age_ms: number | null;
  readonly wait_event_type: string | null;
  readonly wait_event: string | null;
  readonly blocked_by: readonly number[];
  readonly query: string | null;
}

/** Where the connection was made to: what the server calls itself may be an address inside a container. */
export interface ReportPlace {
  readonly host: string;
  readonly port: number;
}

/** Null when there is no row, which a server never answers: our own session is always one. */
export function toActivityReport(rows: readonly ActivityRow[], { host, port }: ReportPlace): ActivityReport | null {
  const facts = rows[0];
  if (facts === undefined) return null;
  const sessions = rows.map(toSession);
  return {
    schemaVersion: 1,
    takenAt: facts.taken_at,
    server: {
      version: facts.version.replace(/ .*$/, ''),
      versionNumber: facts.version_number,
      host,
      port,
      database: facts.current_database,
      user: facts.current_role,
      seesAllSessions: facts.sees_all,
      inRecovery: facts.in_recovery,
    },
    headroom: toHeadroom({ maxConnections: facts.max_connections, superuserReserved: facts.superuser_reserved, reserved: facts.reserved }, sessions),
    sessions,
  };
}

/** Splits the sessions and subtracts them from what ordinary roles may open. */
export function toHeadroom(limits: Pick<Headroom, 'maxConnections' | 'superuserReserved' | 'reserved'>, sessions: readonly Session[]): Headroom {
  const usable = Math.max(0, limits.maxConnections - limits.superuserReserved - limits.reserved);
  const split = { active: 0, waiting: 0, idle: 0, idleInTransaction: 0, aborted: 0, hidden: 0, other: 0 };
  for (const session of sessions) split[partOf(session)] += 1;
  return { ...limits, usable, used: sessions.length, free: Math.max(0, usable - sessions.length), split };
}

const parts: Readonly<Record<SessionState, keyof Headroom['split']>> = {
  active: 'active',
  idle: 'idle',
  'idle in transaction': 'idleInTransaction',
  'idle in transaction (aborted)': 'aborted',
  'fastpath function call': 'other',
  disabled: 'other',
  starting: 'other',
  hidden: 'hidden',
};

/** Which part of the headroom's split a session belongs to. */
export function partOf({ state, isWaiting }: Pick<Session, 'state' | 'isWaiting'>): keyof Headroom['split'] {
  return state === 'active' && isWaiting ? 'waiting' : parts[state];
}

function toSession(row: ActivityRow): Session {
  const application = row.application ?? '';
  const state = toState(row);
  return {
    pid: row.pid,
    backendStart: row.backend_start ?? '',
    user: row.user_name,
    database: row.database_name,
    application,
    clientAddress: row.client_address,
    clientPort: row.client_port,
    state,
    transactionAgeMs: toAge(row.transaction_age_ms),
    queryAgeMs: toAge(row.query_age_ms),
    stateAgeMs: toAge(row.state_age_ms),
    waitEventType: row.wait_event_type,
    waitEvent: row.wait_event,
    isWaiting: state === 'active' && waitTypes.has(row.wait_event_type ?? ''),
    // A parallel query names a blocker once for each of its workers; 0 stands for a prepared transaction.
    blockedBy: [...new Set(row.blocked_by)],
    query: state === 'hidden' ? '' : (row.query ?? ''),
    isOwn: row.pid === row.own_pid || /^poolguard(?:-probe)?(?:$|[ /:])/.test(application),
  };
}

const waitTypes: ReadonlySet<string> = new Set(['Lock', 'LWLock', 'BufferPin']);

function toState({ state, is_hidden }: ActivityRow): SessionState {
  if (is_hidden) return 'hidden';
  return state !== null && isSessionState(state) ? state : 'starting';
}

function isSessionState(state: string): state is SessionState {
  return Object.hasOwn(parts, state);
}

/** Whole milliseconds; a moment that began after the snapshot is 0 old. */
function toAge(milliseconds: number | null): number | null {
  return milliseconds === null ? null : Math.max(0, Math.round(milliseconds));
}
