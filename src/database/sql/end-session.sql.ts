/**
 * Asks one backend to stop, or says why it was not asked. One row, or none when no such process id is left.
 * $1 process id, $2 `backend_start` in microseconds; to cancel, $3 the moment of the sample that the user saw.
 *
 * Everything is checked in the statement that signals: a process id may belong to somebody else a moment later.
 * CASE evaluates no later branch than the first that holds, so nothing is signalled by a refusal.
 * Rows of other roles have neither type nor start for a role without `pg_read_all_stats`: they cannot be told apart, so none is touched.
 * A read-only transaction may signal: nothing is written.
 */
const askSql = (signal: 'pg_cancel_backend' | 'pg_terminate_backend', furtherRefusals = '') => `
SELECT CASE
         WHEN session.backend_type IS NULL OR session.backend_start IS NULL THEN 'hidden'
         WHEN session.backend_start OPERATOR(pg_catalog.<>) $2::pg_catalog.timestamptz THEN 'replaced'
         WHEN session.backend_type OPERATOR(pg_catalog.<>) 'client backend' THEN 'background'
         WHEN (session.pid OPERATOR(pg_catalog.=) pg_catalog.pg_backend_pid())
           OR (session.application_name OPERATOR(pg_catalog.~) '^poolguard(-probe)?($|[ /:])') THEN 'own'
         ${furtherRefusals}WHEN pg_catalog.${signal}(session.pid) THEN 'asked'
         ELSE 'gone'
       END AS outcome,
       pg_catalog.to_char(session.query_start AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS query_start
  FROM pg_catalog.pg_stat_activity AS session
 WHERE session.pid OPERATOR(pg_catalog.=) $1::int`;

/** A statement that began after the sample is another than the one that the user chose to end; a sample takes a moment itself. */
export const cancelSql = askSql(
  'pg_cancel_backend',
  `WHEN pg_catalog.starts_with(session.state, 'idle') THEN 'runs-nothing'
         WHEN session.query_start OPERATOR(pg_catalog.>)
              ($3::pg_catalog.timestamptz OPERATOR(pg_catalog.+) interval '250 milliseconds') THEN 'moved-on'
         `,
);

export const terminateSql = askSql('pg_terminate_backend');

/** Whether the backend is still there, and what it runs. $1 process id, $2 `backend_start`. */
export const stillThereSql = `
SELECT session.state,
       pg_catalog.to_char(session.query_start AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS query_start
  FROM pg_catalog.pg_stat_activity AS session
 WHERE (session.pid OPERATOR(pg_catalog.=) $1::int)
   AND (session.backend_start OPERATOR(pg_catalog.=) $2::pg_catalog.timestamptz)`;

/** Why a role may not signal a backend. $1 process id. */
export const rightsSql = `
SELECT current_user::pg_catalog.text AS own_role, owner.rolname::pg_catalog.text AS owner_role,
       owner.rolsuper AS is_superuser
  FROM pg_catalog.pg_stat_activity AS session
  JOIN pg_catalog.pg_roles AS owner ON (owner.oid OPERATOR(pg_catalog.=) session.usesysid)
 WHERE session.pid OPERATOR(pg_catalog.=) $1::int`;
