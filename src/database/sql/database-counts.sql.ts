/** Running totals of the connected database, of all sessions. One row. */
export const databaseCountsSql = `
  SELECT xact_commit::pg_catalog.float8 AS "commits",
         (tup_inserted OPERATOR(pg_catalog.+) tup_updated OPERATOR(pg_catalog.+) tup_deleted)::pg_catalog.float8 AS "rowsWritten"
    FROM pg_catalog.pg_stat_database
   WHERE datname OPERATOR(pg_catalog.=) pg_catalog.current_database()`;
