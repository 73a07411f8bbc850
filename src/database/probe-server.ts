import type { DatabaseSession, QueryAnswer } from './session.ts';
import {
  backendStatesSql,
  cancelOwnStatementsSql,
  databaseBytesSql,
  harmSql,
  otherProbesSql,
  probeServerFactsSql,
  roleRightsSql,
  takeProbeLockSql,
} from './sql/probe-server.sql.ts';

/** All that these questions need of a session. */
export type Asker = Pick<DatabaseSession, 'query'>;

/** How many connections the server still takes, and from whom. */
export interface ServerRoomFacts {
  readonly maxConnections: number;
  /** `superuser_reserved_connections` and `reserved_connections` together. */
  readonly reserved: number;
  readonly used: number;
  /** `rolconnlimit` of the role; null for no limit, as for superusers. */
  readonly roleLimit: number | null;
  /** Connections that the role may still open by it. */
  readonly roleFree: number | null;
  /** `datconnlimit` of the database; null for no limit, as for superusers. */
  readonly databaseLimit: number | null;
  /** Connections that the database still takes by it. */
  readonly databaseFree: number | null;
}

/** What the server says about itself before a probe. */
export interface ProbeServerFacts extends ServerRoomFacts {
  readonly version: string;
  readonly inRecovery: boolean;
  readonly clusterName: string;
  readonly activeOthers: number;
  /** Sessions of other roles whose state this role may not see. */
  readonly hiddenOthers: number;
}

export function readProbeServerFacts(session: Asker): Promise<QueryAnswer<ProbeServerFacts>> {
  return session.query<ProbeServerFacts>(probeServerFactsSql);
}

/** Size of the connected database in bytes; null when the server does not tell, which may take it long where there are many tables. */
export async function readDatabaseBytes(session: Asker): Promise<number | null> {
  const answer = await session.query<{ bytes: string }>(databaseBytesSql);
  return answer.kind === 'rows' ? Number(answer.rows[0]?.bytes ?? 0) : null;
}

/** What the active ones among this probe's backends wait for; null types for those that run. */
export function readBackendStates(
  session: Asker,
): Promise<QueryAnswer<{ type: string | null; event: string | null; count: number }>> {
  return session.query({ name: 'poolguard_waits', text: backendStatesSql });
}

/** Asks the server to end whatever else runs under the `application_name` of this session, which belongs to one probe alone. */
export async function cancelOwnStatements(session: Asker): Promise<void> {
  await session.query(cancelOwnStatementsSql);
}

/** One look at what a probe does to others. */
export interface HarmReading extends ServerRoomFacts {
  /** Connections of this probe, by `application_name`, without the one that looks. */
  readonly own: number;
  /** Active sessions of others, as far as the role may see them. */
  readonly activeOthers: number;
  /** Sessions of others that wait for a lock which this probe holds. */
  readonly blockedOthers: number;
}

export function readHarm(session: Asker): Promise<QueryAnswer<HarmReading>> {
  return session.query<HarmReading>({ name: 'poolguard_harm', text: harmSql });
}

interface LockAttempt {
  readonly isTaken: boolean;
  /** `application_name` of whoever has it instead; null when it cannot be told. */
  readonly holder: string | null;
}

/** Takes the lock for the life of the session, or says who has it. Read-only sessions may. */
export function takeProbeLock(session: Asker): Promise<QueryAnswer<LockAttempt>> {
  return session.query<LockAttempt>(takeProbeLockSql);
}

export interface OtherProbe {
  /** `application_name`, which every role may see. */
  readonly name: string;
  readonly database: string;
}

/**
 * Probes at work in other databases of this server; behind a pooler, where no lock can be held, in this one as well. Those seen idle do not
 * count: a pooler's backends keep the name of the client that they were lent to until the next one comes.
 */
export function listOtherProbes(
  session: Pick<DatabaseSession, 'query' | 'isPooled'>,
): Promise<QueryAnswer<OtherProbe>> {
  return session.query<OtherProbe>({ text: otherProbesSql, values: [session.isPooled] });
}

/** What one role may do beyond SQL. Names are hostile, as every string of the database. */
export interface RoleRights {
  readonly name: string;
  /** It logged in; else it is the current one, which the session was set to. */
  readonly isLogin: boolean;
  readonly isSuperuser: boolean;
  /** Superusers, and predefined roles that reach programs or files, of which it is a member; empty for a superuser. */
  readonly memberOf: readonly string[];
}

/** Gives the role that logged in, then the current one where that is another. */
export function readRoleRights(
  session: Pick<DatabaseSession, 'query'>,
): Promise<QueryAnswer<RoleRights>> {
  return session.query<RoleRights>(roleRightsSql);
}
