import type { ServerCapabilities } from '../capabilities.ts';

/**
 * Every client session in one statement, and a last row with `taken_at`: by the server's clock when the sample began, what it
 * took so far, and which backend is our own. PostgreSQL 12 to 18. Moments are seconds since 1970: `date_part` gives a
 * float8 whose text is short and keeps microseconds, where `extract` gives a numeric since PostgreSQL 14, which costs more.
 *
 * A role without `pg_read_all_stats` gets null for most columns of other roles' sessions, `backend_type` included
 * (backend_status, pgstatfuncs.c HAS_PGSTAT_PERMISSIONS): such rows count as client connections when they have a user and
 * a database and send no WAL. Workers of others' parallel queries cannot be told from them. A role may lose that right
 * between two samples, so everybody's statement counts such rows.
 * `pg_blocking_pids` takes the lock manager's partitions exclusively for a moment, so only sessions that wait for a lock ask it.
 * The query text is not cut here: text of a database in another encoding would make string functions fail.
 */
export function activitySql({ namesBlockers }: Pick<ServerCapabilities, 'namesBlockers'>): string {
  const isBlocked = `wait_event_type OPERATOR(pg_catalog.=) 'Lock'`;
  const blockedBy = `CASE WHEN ${isBlocked} THEN pg_catalog.pg_blocking_pids(pid) END`;
  const sinceThen =
    'pg_catalog.clock_timestamp() OPERATOR(pg_catalog.-) pg_catalog.statement_timestamp()';
  return `SELECT pid, backend_type IS NULL AS is_hidden, ${seconds('backend_start')} AS started_at,
       usename AS user_name, datname AS database_name, application_name AS application,
       pg_catalog.host(client_addr) AS client_address, client_port, state,
       ${seconds('xact_start')} AS transaction_at, ${seconds('query_start')} AS query_at,
       ${seconds('state_change')} AS state_at,
       wait_event_type, wait_event,
       ${namesBlockers ? blockedBy : 'NULL::int[]'} AS blocked_by,
       query, NULL::pg_catalog.float8 AS taken_at, NULL::pg_catalog.float8 AS took_ms
  FROM pg_catalog.pg_stat_activity
 WHERE (backend_type OPERATOR(pg_catalog.=) 'client backend')
    OR (backend_type IS NULL AND usesysid IS NOT NULL AND datid IS NOT NULL
        AND NOT (pid OPERATOR(pg_catalog.=) ANY (
          SELECT sender.pid FROM pg_catalog.pg_stat_get_wal_senders() AS sender WHERE sender.pid IS NOT NULL)))
UNION ALL
SELECT pg_catalog.pg_backend_pid(), false, NULL, NULL, NULL, NULL, NULL, NULL,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       ${seconds('pg_catalog.statement_timestamp()')},
       ${seconds(sinceThen)} OPERATOR(pg_catalog.*) 1000`;
}

function seconds(moment: string): string {
  return `pg_catalog.date_part('epoch', ${moment})`;
}
