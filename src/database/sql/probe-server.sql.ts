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
 * between the two, one of ours perhaps, counts at the next sample.
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

/** `type`, `event` and `pids` of what this probe's active backends wait for. */
export const backendStatesSql = `
SELECT wait_event_type AS "type", wait_event AS "event", pg_catalog.array_agg(pid) AS "pids"
  FROM pg_catalog.pg_stat_activity WHERE ${isOwnBackend} AND ${isActive} GROUP BY 1, 2`;

/** Ends what this probe's backends run. */
export const cancelOwnStatementsSql = `
SELECT pg_catalog.pg_cancel_backend(pid) FROM pg_catalog.pg_stat_activity
 WHERE ${isOwnBackend} AND (usename OPERATOR(pg_catalog.=) current_user) AND ${isActive}`;

/** `bytes` of the connected database. */
export const databaseBytesSql = `
SELECT pg_catalog.pg_database_size(pg_catalog.current_database()) AS "bytes"`;

/** The letters "pool" and "guar" as two integers: the advisory lock that one probe at a time holds in a database. */
const lockKeys = { first: 1_886_351_212, second: 1_735_746_930 } as const;

/** Takes the lock for the life of the session: `isTaken`; else `holder`, the `application_name` of whoever has it. */
export const takeProbeLockSql = `
SELECT pg_catalog.pg_try_advisory_lock(${lockKeys.first}, ${lockKeys.second}) AS "isTaken",
       (SELECT activity.application_name
          FROM pg_catalog.pg_locks AS held
          JOIN pg_catalog.pg_stat_activity AS activity ON (activity.pid OPERATOR(pg_catalog.=) held.pid)
         WHERE (held.locktype OPERATOR(pg_catalog.=) 'advisory') AND held.granted
           AND (held.classid::int OPERATOR(pg_catalog.=) ${lockKeys.first})
           AND (held.objid::int OPERATOR(pg_catalog.=) ${lockKeys.second})
           AND (held.database OPERATOR(pg_catalog.=) (
                  SELECT oid FROM pg_catalog.pg_database
                   WHERE datname OPERATOR(pg_catalog.=) pg_catalog.current_database()))
           AND (held.pid OPERATOR(pg_catalog.<>) pg_catalog.pg_backend_pid())
         LIMIT 1) AS "holder"`;

const ownName = `pg_catalog.split_part(pg_catalog.current_setting('application_name'), ' ', 1)`;

/** `name` and `database` of each other probe that is not idle. $1 whether those in this database count too. */
export const otherProbesSql = `
SELECT DISTINCT application_name AS "name", datname AS "database"
  FROM pg_catalog.pg_stat_activity
 WHERE pg_catalog.starts_with(application_name, 'poolguard-probe/')
   AND (state OPERATOR(pg_catalog.=) 'idle') IS NOT TRUE
   AND (pg_catalog.split_part(application_name, ' ', 1) OPERATOR(pg_catalog.<>) ${ownName})
   AND ((datname OPERATOR(pg_catalog.<>) pg_catalog.current_database()) OR $1::boolean)`;

/**
 * What the role of this session may do beyond SQL. One row for the role that logged in, and another for the current one
 * where that differs: any function that is called can return to the first (`set_config('role', 'none', true)`).
 *
 * MEMBER follows memberships of every kind, also those that are not inherited: SET ROLE gives what they do not.
 */
export const roleRightsSql = `
SELECT who.rolname::pg_catalog.text AS "name",
       (who.rolname OPERATOR(pg_catalog.=) session_user) AS "isLogin",
       who.rolsuper AS "isSuperuser",
       ARRAY(SELECT power.rolname::pg_catalog.text
               FROM pg_catalog.pg_roles AS power
              WHERE NOT who.rolsuper
                AND (power.rolsuper OR (power.rolname OPERATOR(pg_catalog.=) ANY (
                      '{pg_execute_server_program,pg_read_server_files,pg_write_server_files}'::pg_catalog.name[])))
                AND pg_catalog.pg_has_role(who.oid, power.oid, 'MEMBER'::pg_catalog.text)
              ORDER BY power.rolname) AS "memberOf"
  FROM pg_catalog.pg_roles AS who
 WHERE (who.rolname OPERATOR(pg_catalog.=) session_user) OR (who.rolname OPERATOR(pg_catalog.=) current_user)
 ORDER BY (who.rolname OPERATOR(pg_catalog.=) session_user) DESC`;
