/**
 * `pid`, `workMemBytes` and `tellsContexts` of the own backend. Whether the view is there and may be read is asked
 * first, for a refused statement would stand as an error in the log of the server. The function below the view has a
 * right of its own (PostgreSQL, system_views.sql).
 */
export const ownBackendSql = `
SELECT pg_catalog.pg_backend_pid() AS "pid",
       pg_catalog.pg_size_bytes(pg_catalog.current_setting('work_mem'))::pg_catalog.float8 AS "workMemBytes",
       coalesce(
         pg_catalog.has_table_privilege(pg_catalog.to_regclass('pg_catalog.pg_backend_memory_contexts'), 'SELECT')
         AND pg_catalog.has_function_privilege(
           pg_catalog.to_regprocedure('pg_catalog.pg_get_backend_memory_contexts()'), 'EXECUTE'),
         false) AS "tellsContexts"`;

/** `bytes`. PostgreSQL 14 and newer; for superusers, since 15 for members of pg_read_all_stats too. */
export const memoryContextsSql = `
SELECT pg_catalog.sum(total_bytes)::pg_catalog.float8 AS "bytes" FROM pg_catalog.pg_backend_memory_contexts`;
