/**
 * Everything about client connections in one statement, by the server's clock. PostgreSQL 12 to 18.
 * One row a session, and each row repeats the facts about the server; there is always one, our own.
 *
 * A role without `pg_read_all_stats` gets null for most columns of other roles' sessions, `backend_type` included
 * (backend_status, pgstatfuncs.c HAS_PGSTAT_PERMISSIONS): such rows count as client connections when they have a user.
 * `pg_blocking_pids` takes the lock manager's partitions exclusively for a moment, so only sessions that wait for a lock ask it.
 * The query text is not cut here: text of a database in another encoding would make string functions fail.
 */
export const activitySql = `
WITH server AS MATERIALIZED (
  SELECT pg_catalog.clock_timestamp() AS taken_at,
         pg_catalog.current_setting('server_version') AS version,
         pg_catalog.current_setting('server_version_num')::int AS version_number,
         pg_catalog.current_database()::text AS current_database,
         current_user::text AS current_role,
         pg_catalog.pg_has_role(current_user, 'pg_read_all_stats', 'USAGE') AS sees_all,
         pg_catalog.pg_is_in_recovery() AS in_recovery,
         pg_catalog.current_setting('max_connections')::int AS max_connections,
         pg_catalog.current_setting('superuser_reserved_connections')::int AS superuser_reserved,
         coalesce(pg_catalog.current_setting('reserved_connections', true), '0')::int AS reserved,
         pg_catalog.pg_backend_pid() AS own_pid
)
SELECT pg_catalog.to_char(server.taken_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS taken_at,
       server.version, server.version_number, server.current_database, server.current_role, server.sees_all, server.in_recovery,
       server.max_connections, server.superuser_reserved, server.reserved, server.own_pid,
       session.pid,
       session.backend_type IS NULL AS is_hidden,
       pg_catalog.to_char(session.backend_start AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS backend_start,
       session.usename::text AS user_name,
       session.datname::text AS database_name,
       session.application_name AS application,
       pg_catalog.host(session.client_addr) AS client_address,
       CASE WHEN session.client_port > 0 THEN session.client_port END AS client_port,
       session.state,
       (extract(epoch FROM server.taken_at - session.xact_start) * 1000)::float8 AS transaction_age_ms,
       (extract(epoch FROM server.taken_at - session.query_start) * 1000)::float8 AS query_age_ms,
       (extract(epoch FROM server.taken_at - session.state_change) * 1000)::float8 AS state_age_ms,
       session.wait_event_type,
       session.wait_event,
       CASE WHEN session.wait_event_type = 'Lock' THEN pg_catalog.pg_blocking_pids(session.pid) ELSE '{}'::int[] END AS blocked_by,
       session.query
  FROM server
  CROSS JOIN pg_catalog.pg_stat_activity AS session
 WHERE session.backend_type = 'client backend' OR (session.backend_type IS NULL AND session.usesysid IS NOT NULL)
 ORDER BY session.pid`;
