import { isSessionState, toHeadroom, type ServerLimits } from './headroom.ts';
import type { ActivityRow } from './server-rows.ts';
import type { ActivityReport, ServerFacts, Session, SessionState } from './snapshot.ts';

/** What a report says besides its sessions. */
export interface ReportFrame {
  readonly server: ServerFacts;
  readonly limits: ServerLimits;
}

/** Null when the last row is missing, which a server never leaves out. */
export function toActivityReport(
  rows: readonly ActivityRow[],
  { server, limits }: ReportFrame,
): ActivityReport | null {
  const look = rows.find(({ taken_at }) => taken_at !== null);
  if (look === undefined || look.taken_at === null) return null;
  const takenAt = look.taken_at;
  const sessions = rows
    .filter(({ taken_at }) => taken_at === null)
    .map((row) => toSession(row, takenAt, look.pid));
  sessions.sort((a, b) => a.pid - b.pid);
  const seesAllSessions =
    server.seesAllSessions && sessions.every(({ state }) => state !== 'hidden');
  return {
    schemaVersion: 1,
    takenAt: toMoment(takenAt, 3),
    server: { ...server, seesAllSessions },
    headroom: toHeadroom(limits, sessions),
    sessions,
  };
}

function toSession(row: ActivityRow, takenAt: number, ownPid: number): Session {
  const application = row.application ?? '';
  const state = toState(row);
  const age = (moment: number | null) =>
    moment === null ? null : Math.max(0, Math.round((takenAt - moment) * 1_000));
  return {
    pid: row.pid,
    backendStart: row.started_at === null ? '' : toMoment(row.started_at, 6),
    user: row.user_name,
    database: row.database_name,
    application,
    clientAddress: row.client_address,
    clientPort: row.client_port !== null && row.client_port > 0 ? row.client_port : null,
    state,
    transactionAgeMs: age(row.transaction_at),
    queryAgeMs: age(row.query_at),
    stateAgeMs: age(row.state_at),
    waitEventType: row.wait_event_type,
    waitEvent: row.wait_event,
    isWaiting: state === 'active' && waitTypes.has(row.wait_event_type ?? ''),
    // A parallel query names a blocker once for each of its workers; 0 stands for a prepared transaction.
    blockedBy: [...new Set(row.blocked_by ?? [])],
    query: state === 'hidden' ? '' : (row.query ?? ''),
    isOwn: row.pid === ownPid || /^poolguard(?:-probe)?(?:$|[ /:])/.test(application),
  };
}

const waitTypes: ReadonlySet<string> = new Set(['Lock', 'LWLock', 'BufferPin']);

function toState({ state, is_hidden }: ActivityRow): SessionState {
  if (is_hidden) return 'hidden';
  return state !== null && isSessionState(state) ? state : 'starting';
}

/** ISO 8601 in UTC with so many digits of a second; a float8 of today keeps a quarter of a microsecond. */
function toMoment(seconds: number, digits: 3 | 6): string {
  const microseconds = Math.round(seconds * 1_000_000);
  const whole = Math.floor(microseconds / 1_000_000);
  const fraction = String(microseconds - whole * 1_000_000)
    .padStart(6, '0')
    .slice(0, digits);
  return `${new Date(whole * 1_000).toISOString().slice(0, -5)}.${fraction}Z`;
}
