import * as v from 'valibot';
import { number, type OutputOf, whole } from '../schema/fields.ts';
import type { Asker, DatabaseSession, QueryAnswer } from './session.ts';
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

const count = whole(0, Number.MAX_SAFE_INTEGER);
/** A number of 64 bits, as the driver gives it. */
const wholeText = v.pipe(v.string(), v.regex(/^\d{1,19}$/));

/** How many connections the server still takes, and from whom. */
const ServerRoomFacts = v.object({
  maxConnections: count,
  /** `superuser_reserved_connections` and `reserved_connections` together. */
  reserved: count,
  used: count,
  /** `rolconnlimit` of the role; null for no limit, as for superusers. */
  roleLimit: v.nullable(count),
  /** Connections that the role may still open by it. */
  roleFree: v.nullable(number),
  /** `datconnlimit` of the database; null for no limit, as for superusers. */
  databaseLimit: v.nullable(count),
  /** Connections that the database still takes by it. */
  databaseFree: v.nullable(number),
});
export type ServerRoomFacts = OutputOf<typeof ServerRoomFacts>;

/** What the server says about itself before a probe. */
const ProbeServerFacts = v.object({
  ...ServerRoomFacts.entries,
  version: v.string(),
  inRecovery: v.boolean(),
  clusterName: v.string(),
  activeOthers: count,
  /** Sessions of other roles whose state this role may not see. */
  hiddenOthers: count,
});
export type ProbeServerFacts = OutputOf<typeof ProbeServerFacts>;

export function readProbeServerFacts(session: Asker): Promise<QueryAnswer<ProbeServerFacts>> {
  return session.query(probeServerFactsSql, ProbeServerFacts);
}

/** Size of the connected database in bytes; null when the server does not tell, which may take it long where there are many tables. */
export async function readDatabaseBytes(session: Asker): Promise<number | null> {
  const answer = await session.query(databaseBytesSql, v.object({ bytes: wholeText }));
  return answer.kind === 'rows' ? Number(answer.rows[0]?.bytes ?? 0) : null;
}

/** What the active ones among this probe's backends wait for; null types for those that run. */
const BackendState = v.object({
  type: v.nullable(v.string()),
  event: v.nullable(v.string()),
  /** Process ids on the server. */
  pids: v.array(count),
});
export type BackendState = OutputOf<typeof BackendState>;

export function readBackendStates(session: Asker): Promise<QueryAnswer<BackendState>> {
  return session.query({ name: 'poolguard_waits', text: backendStatesSql }, BackendState);
}

/** Asks the server to end whatever else runs under the `application_name` of this session, which belongs to one probe alone. */
export async function cancelOwnStatements(session: Asker): Promise<void> {
  await session.query(cancelOwnStatementsSql, v.unknown());
}

/** One look at what a probe does to others. */
const HarmReading = v.object({
  ...ServerRoomFacts.entries,
  /** Connections of this probe, by `application_name`, without the one that looks. */
  own: count,
  /** Active sessions of others, as far as the role may see them. */
  activeOthers: count,
  /** Sessions of others that wait for a lock which this probe holds. */
  blockedOthers: count,
});
export type HarmReading = OutputOf<typeof HarmReading>;

export function readHarm(session: Asker): Promise<QueryAnswer<HarmReading>> {
  return session.query({ name: 'poolguard_harm', text: harmSql }, HarmReading);
}

const LockAttempt = v.object({
  isTaken: v.boolean(),
  /** `application_name` of whoever has it instead; null when it cannot be told. */
  holder: v.nullable(v.string()),
});

/** Takes the lock for the life of the session, or says who has it. Read-only sessions may. */
export function takeProbeLock(session: Asker): Promise<QueryAnswer<OutputOf<typeof LockAttempt>>> {
  return session.query(takeProbeLockSql, LockAttempt);
}

const OtherProbe = v.object({
  /** `application_name`, which every role may see. */
  name: v.string(),
  database: v.string(),
});
export type OtherProbe = OutputOf<typeof OtherProbe>;

/**
 * Probes at work in other databases of this server; behind a pooler, where no lock can be held, in this one as well. Those seen idle do not
 * count: a pooler's backends keep the name of the client that they were lent to until the next one comes.
 */
export function listOtherProbes(
  session: Pick<DatabaseSession, 'query' | 'isPooled'>,
): Promise<QueryAnswer<OtherProbe>> {
  return session.query({ text: otherProbesSql, values: [session.isPooled] }, OtherProbe);
}

/** What one role may do beyond SQL. Names are hostile, as every string of the database. */
const RoleRights = v.object({
  name: v.string(),
  /** It logged in; else it is the current one, which the session was set to. */
  isLogin: v.boolean(),
  isSuperuser: v.boolean(),
  /** Superusers, and predefined roles that reach programs or files, of which it is a member; empty for a superuser. */
  memberOf: v.array(v.string()),
});
export type RoleRights = OutputOf<typeof RoleRights>;

/** Gives the role that logged in, then the current one where that is another. */
export function readRoleRights(session: Asker): Promise<QueryAnswer<RoleRights>> {
  return session.query(roleRightsSql, RoleRights);
}
