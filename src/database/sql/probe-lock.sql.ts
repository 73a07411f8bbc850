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
