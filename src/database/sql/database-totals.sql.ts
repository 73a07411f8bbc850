const reset = `(statistics OPERATOR(pg_catalog.->>) 'stats_reset')::pg_catalog.timestamptz`;

/** One row of `DatabaseTimes`. By way of JSON: a server without these columns answers null instead of failing. */
export const databaseTimesSql = `
SELECT (statistics OPERATOR(pg_catalog.->>) 'active_time')::pg_catalog.float8 AS "activeMs",
       (statistics OPERATOR(pg_catalog.->>) 'idle_in_transaction_time')::pg_catalog.float8 AS "idleInTransactionMs",
       (extract(epoch FROM (pg_catalog.now() OPERATOR(pg_catalog.-) ${reset}))
         OPERATOR(pg_catalog.*) 1000)::pg_catalog.float8 AS "sinceMs",
       pg_catalog.to_char(${reset} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS "since"
  FROM (SELECT pg_catalog.to_jsonb(one) AS statistics FROM pg_catalog.pg_stat_database AS one
         WHERE one.datname OPERATOR(pg_catalog.=) pg_catalog.current_database()) AS own`;

/** Running totals of the connected database, of all sessions. One row. */
export const databaseCountsSql = `
  SELECT xact_commit::pg_catalog.float8 AS "commits",
         (tup_inserted OPERATOR(pg_catalog.+) tup_updated OPERATOR(pg_catalog.+) tup_deleted)::pg_catalog.float8 AS "rowsWritten"
    FROM pg_catalog.pg_stat_database
   WHERE datname OPERATOR(pg_catalog.=) pg_catalog.current_database()`;
