/**
 * How many sessions of the connected database began after `$2` under one of the names `$1`, or under any name
 * where none is given: `sessions`, and of them `active`.
 */
export const applicationSessionsSql = `
SELECT pg_catalog.count(*)::int AS "sessions",
       (pg_catalog.count(*) FILTER (WHERE state OPERATOR(pg_catalog.=) 'active'))::int AS "active"
  FROM pg_catalog.pg_stat_activity
 WHERE (datname OPERATOR(pg_catalog.=) pg_catalog.current_database())
   AND (pid OPERATOR(pg_catalog.<>) pg_catalog.pg_backend_pid())
   AND (coalesce(backend_type, 'client backend') OPERATOR(pg_catalog.=) 'client backend')
   AND (backend_start OPERATOR(pg_catalog.>=) $2::pg_catalog.timestamptz)
   AND NOT pg_catalog.starts_with(application_name, 'poolguard')
   AND ((pg_catalog.cardinality($1::pg_catalog.text[]) OPERATOR(pg_catalog.=) 0)
        OR (application_name OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.text[])))`;

/** The server's own time, in UTC: whatever its `DateStyle`, it reads that again. */
export const serverTimeSql = `
SELECT pg_catalog.to_char(pg_catalog.now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "now"`;
