const count = (condition: string) =>
  `(SELECT pg_catalog.count(*)::int FROM client WHERE ${condition})`;

/**
 * Common tables `client`, `role` and `base`. A role that sees little of others (`pg_stat_activity` hides their
 * type) still counts them: they have a user and a database.
 */
const clients = `
  client AS (
    SELECT pid, usesysid, datid, state, application_name FROM pg_catalog.pg_stat_activity
     WHERE usesysid IS NOT NULL AND datid IS NOT NULL
       AND (coalesce(backend_type, 'client backend') OPERATOR(pg_catalog.=) 'client backend')
  ), role AS (
    SELECT oid, rolsuper, rolconnlimit FROM pg_catalog.pg_roles WHERE rolname OPERATOR(pg_catalog.=) current_user
  ), base AS (
    SELECT oid, datconnlimit FROM pg_catalog.pg_database
     WHERE datname OPERATOR(pg_catalog.=) pg_catalog.current_database()
  )`;

/** A limit, or what is free of it; null where there is none, as for superusers. */
function limited(limit: string, value: string): string {
  return `CASE WHEN role.rolsuper OR (${limit} OPERATOR(pg_catalog.<) 0) THEN NULL ELSE ${value} END`;
}

function free(limit: string, used: string): string {
  return limited(limit, `${limit} OPERATOR(pg_catalog.-) ${count(used)}`);
}

/** The columns of `ServerRoomFacts`. */
const room = `
         pg_catalog.current_setting('max_connections')::int AS "maxConnections",
         pg_catalog.current_setting('superuser_reserved_connections')::int
           OPERATOR(pg_catalog.+)
           coalesce(pg_catalog.current_setting('reserved_connections', true)::int, 0) AS "reserved",
         ${count('true')} AS "used",
         ${limited('role.rolconnlimit', 'role.rolconnlimit')} AS "roleLimit",
         ${free('role.rolconnlimit', 'usesysid OPERATOR(pg_catalog.=) role.oid')} AS "roleFree",
         ${limited('base.datconnlimit', 'base.datconnlimit')} AS "databaseLimit",
         ${free('base.datconnlimit', 'datid OPERATOR(pg_catalog.=) base.oid')} AS "databaseFree"`;

const isNotOwn = '(pid OPERATOR(pg_catalog.<>) pg_catalog.pg_backend_pid())';
const isActive = `(state OPERATOR(pg_catalog.=) 'active')`;
const isNotOurs = `NOT pg_catalog.starts_with(application_name, 'poolguard')`;

/**
 * Which backends work for this probe: those that carry the name of the session that asks, without its own. Process
 * ids do not tell, since a pooler makes them up; PgBouncer gives a backend the `application_name` of the client it
 * is lent to, with ` - host:port` behind it where `application_name_add_host` is on.
 */
const isOwnBackend = `pg_catalog.starts_with(application_name,
           pg_catalog.split_part(pg_catalog.current_setting('application_name'), ' - ', 1)) AND ${isNotOwn}`;

/** One row of `ProbeServerFacts`. */
export const probeServerFactsSql = `
  WITH ${clients}
  SELECT pg_catalog.current_setting('server_version') AS "version",
         ${room},
         pg_catalog.pg_is_in_recovery() AS "inRecovery",
         coalesce(pg_catalog.current_setting('cluster_name', true), '') AS "clusterName",
         ${count(`${isActive} AND ${isNotOwn} AND ${isNotOurs}`)} AS "activeOthers",
         ${count('state IS NULL')} AS "hiddenOthers"
    FROM role CROSS JOIN base`;

/**
 * One row of `HarmReading`. Who waits is read from `pg_locks`, which hides nothing from an ordinary role;
 * `pg_stat_activity` shows a role only its own waits. It is read as of one moment and locks are not, so whoever has come
 * between the two, one of ours perhaps, counts at the next look.
 */
export const harmSql = `
  WITH ${clients}, own AS (
    SELECT pg_catalog.array_agg(pid) AS pids FROM client WHERE ${isOwnBackend}
  )
  SELECT ${room},
         coalesce(pg_catalog.cardinality(own.pids), 0) AS "own",
         ${count(`${isActive} AND ${isNotOurs}`)} AS "activeOthers",
         CASE WHEN own.pids IS NULL THEN 0 ELSE (
           SELECT pg_catalog.count(DISTINCT waiting.pid)::int FROM pg_catalog.pg_locks AS waiting
            WHERE NOT waiting.granted AND (waiting.pid OPERATOR(pg_catalog.<>) ALL (own.pids))
              AND (waiting.pid OPERATOR(pg_catalog.=) ANY (SELECT pid FROM pg_catalog.pg_stat_activity))
              AND (pg_catalog.pg_blocking_pids(waiting.pid) OPERATOR(pg_catalog.&&) own.pids)
         ) END AS "blockedOthers"
    FROM role CROSS JOIN base CROSS JOIN own`;

/** `type`, `event` and `count` of what this probe's active backends wait for. */
export const backendStatesSql = `
SELECT wait_event_type AS "type", wait_event AS "event", pg_catalog.count(*)::int AS "count"
  FROM pg_catalog.pg_stat_activity WHERE ${isOwnBackend} AND ${isActive} GROUP BY 1, 2`;

/** Ends what this probe's backends run. */
export const cancelOwnStatementsSql = `
SELECT pg_catalog.pg_cancel_backend(pid) FROM pg_catalog.pg_stat_activity
 WHERE ${isOwnBackend} AND (usename OPERATOR(pg_catalog.=) current_user) AND ${isActive}`;

/** `bytes` of the connected database. */
export const databaseBytesSql = `
SELECT pg_catalog.pg_database_size(pg_catalog.current_database()) AS "bytes"`;
