import type { DatabaseSession, QueryAnswer } from './session.ts';

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
  readonly isSuperuser: boolean;
  readonly inRecovery: boolean;
  readonly clusterName: string;
  /** Whether there is a table in which Rails keeps the name of the environment. */
  readonly hasRailsMetadata: boolean;
  readonly activeOthers: number;
  /** Sessions of other roles whose state this role may not see. */
  readonly hiddenOthers: number;
}

/** Common tables `client`, `role` and `base`. A role that sees little of others (`pg_stat_activity` hides their type) still counts them: they have a user and a database. */
export const clientsSql = `
  client AS (
    SELECT pid, usesysid, datid, state, application_name FROM pg_catalog.pg_stat_activity
     WHERE usesysid IS NOT NULL AND datid IS NOT NULL AND coalesce(backend_type, 'client backend') = 'client backend'
  ), role AS (
    SELECT oid, rolsuper, rolconnlimit FROM pg_catalog.pg_roles WHERE rolname = current_user
  ), base AS (
    SELECT oid, datconnlimit FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database()
  )`;

/** The columns of `ServerRoomFacts`. */
export const roomColumns = `
         pg_catalog.current_setting('max_connections')::int AS "maxConnections",
         pg_catalog.current_setting('superuser_reserved_connections')::int + coalesce(pg_catalog.current_setting('reserved_connections', true)::int, 0) AS "reserved",
         (SELECT count(*)::int FROM client) AS "used",
         CASE WHEN role.rolsuper OR role.rolconnlimit < 0 THEN NULL ELSE role.rolconnlimit END AS "roleLimit",
         CASE WHEN role.rolsuper OR role.rolconnlimit < 0 THEN NULL ELSE role.rolconnlimit - (SELECT count(*)::int FROM client WHERE usesysid = role.oid) END AS "roleFree",
         CASE WHEN role.rolsuper OR base.datconnlimit < 0 THEN NULL ELSE base.datconnlimit END AS "databaseLimit",
         CASE WHEN role.rolsuper OR base.datconnlimit < 0 THEN NULL ELSE base.datconnlimit - (SELECT count(*)::int FROM client WHERE datid = base.oid) END AS "databaseFree"`;

const factsSql = `
  WITH ${clientsSql}
  SELECT pg_catalog.current_setting('server_version') AS "version",
         ${roomColumns},
         role.rolsuper AS "isSuperuser",
         pg_catalog.pg_is_in_recovery() AS "inRecovery",
         coalesce(pg_catalog.current_setting('cluster_name', true), '') AS "clusterName",
         pg_catalog.to_regclass('public.ar_internal_metadata') IS NOT NULL AS "hasRailsMetadata",
         (SELECT count(*)::int FROM client WHERE state = 'active' AND pid <> pg_catalog.pg_backend_pid() AND application_name NOT LIKE 'poolguard%') AS "activeOthers",
         (SELECT count(*)::int FROM client WHERE state IS NULL) AS "hiddenOthers"
    FROM role CROSS JOIN base`;

export function readProbeServerFacts(session: Asker): Promise<QueryAnswer<ProbeServerFacts>> {
  return session.query<ProbeServerFacts>(factsSql);
}

/** The environment that Rails noted down in the database; null when it cannot be read. */
export async function readRailsEnvironment(session: Asker): Promise<string | null> {
  const answer = await session.query<{ value: string | null }>(
    "SELECT value FROM public.ar_internal_metadata WHERE key = 'environment'",
  );
  return answer.kind === 'rows' ? (answer.rows[0]?.value ?? null) : null;
}

/** Size of the connected database in bytes; null when the server does not tell, which may take it long where there are many tables. */
export async function readDatabaseBytes(session: Asker): Promise<number | null> {
  const answer = await session.query<{ bytes: string }>(
    'SELECT pg_catalog.pg_database_size(pg_catalog.current_database()) AS bytes',
  );
  return answer.kind === 'rows' ? Number(answer.rows[0]?.bytes ?? 0) : null;
}

/**
 * Which backends work for this probe: those that carry the name of the session that asks, without its own. Process ids do not tell,
 * since a pooler makes them up; PgBouncer gives a backend the `application_name` of the client it is lent to,
 * with ` - host:port` behind it where `application_name_add_host` is on.
 */
export const isOwnBackend =
  "pg_catalog.starts_with(application_name, pg_catalog.split_part(pg_catalog.current_setting('application_name'), ' - ', 1)) AND pid <> pg_catalog.pg_backend_pid()";

/** What the active ones among this probe's backends wait for; null types for those that run. */
export function readBackendStates(
  session: Asker,
): Promise<QueryAnswer<{ type: string | null; event: string | null; count: number }>> {
  return session.query({
    name: 'poolguard_waits',
    text: `SELECT wait_event_type AS "type", wait_event AS "event", count(*)::int AS "count"
             FROM pg_catalog.pg_stat_activity WHERE ${isOwnBackend} AND state = 'active' GROUP BY 1, 2`,
  });
}

/** Asks the server to end whatever else runs under the `application_name` of this session, which belongs to one probe alone. */
export async function cancelOwnStatements(session: Asker): Promise<void> {
  await session.query(
    `SELECT pg_catalog.pg_cancel_backend(pid) FROM pg_catalog.pg_stat_activity
      WHERE ${isOwnBackend} AND usename = current_user AND state = 'active'`,
  );
}
