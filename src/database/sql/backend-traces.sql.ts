/**
 * One row of `BackendTraces`: what this session's backend keeps beyond a transaction. It takes a moment, during which a
 * pooler gives other clients other backends.
 */
export const backendTracesSql = `
SELECT own.pid AS "pid", 
       EXTRACT(epoch FROM own.backend_start)::pg_catalog.float8 AS "startedAt",
       EXTRACT(epoch FROM pg_catalog.clock_timestamp())::pg_catalog.float8 AS "seenAt",
       ARRAY(SELECT held.name::pg_catalog.text FROM pg_catalog.pg_prepared_statements AS held
              WHERE held.from_sql ORDER BY held.name LIMIT 1000) AS "prepared",
       ARRAY(SELECT pg_catalog.concat_ws('/', held.classid::pg_catalog.int8, held.objid::pg_catalog.int8)
               FROM pg_catalog.pg_locks AS held
              WHERE (held.pid OPERATOR(pg_catalog.=) own.pid)
                AND (held.locktype OPERATOR(pg_catalog.=) 'advisory'::pg_catalog.text)
              ORDER BY held.classid, held.objid LIMIT 1000) AS "locks",
       ARRAY(SELECT pg_catalog.concat(held.name, '=', held.setting) FROM pg_catalog.pg_settings AS held
              WHERE (held.source OPERATOR(pg_catalog.=) 'session'::pg_catalog.text) ORDER BY held.name) AS "settings",
       pg_catalog.pg_sleep(0.05)::pg_catalog.text AS "rest"
  FROM pg_catalog.pg_stat_activity AS own
 WHERE (own.pid OPERATOR(pg_catalog.=) pg_catalog.pg_backend_pid())`;
