/** The server checks the limit of the role that logged in, `session_user`. A superuser's own limit has no effect. */
const limits = `(
         SELECT pg_catalog.json_agg(pg_catalog.json_build_object(
                  'scope', scope, 'name', name, 'limit', connection_limit, 'isOwn', is_own))
           FROM (SELECT 'role' AS scope, rolname AS name,
                        CASE WHEN rolconnlimit OPERATOR(pg_catalog.>=) 0 THEN rolconnlimit END AS connection_limit,
                        rolname OPERATOR(pg_catalog.=) session_user AS is_own
                   FROM pg_catalog.pg_roles
                  WHERE ((rolconnlimit OPERATOR(pg_catalog.>=) 0) AND NOT rolsuper)
                     OR (rolname OPERATOR(pg_catalog.=) session_user)
                 UNION ALL
                 SELECT 'database', datname,
                        CASE WHEN datconnlimit OPERATOR(pg_catalog.>=) 0 THEN datconnlimit END,
                        datname OPERATOR(pg_catalog.=) pg_catalog.current_database()
                   FROM pg_catalog.pg_database
                  WHERE (datconnlimit OPERATOR(pg_catalog.>=) 0)
                     OR (datname OPERATOR(pg_catalog.=) pg_catalog.current_database())) AS limited)`;

const standing = `
       (SELECT rolsuper FROM pg_catalog.pg_roles WHERE rolname OPERATOR(pg_catalog.=) current_user) AS "isSuperuser",
       pg_catalog.pg_has_role(current_user, 'pg_read_all_stats', 'USAGE') AS "readsAllStats",
       pg_catalog.pg_has_role(current_user, 'pg_signal_backend', 'USAGE') AS "signalsOthers",
       EXISTS (SELECT FROM pg_catalog.pg_roles
                WHERE (rolname OPERATOR(pg_catalog.=) 'pg_use_reserved_connections')
                  AND pg_catalog.pg_has_role(current_user, oid, 'USAGE')) AS "usesReserve",
       pg_catalog.pg_is_in_recovery() AS "inRecovery",
       ${limits} AS "limits"`;

/** One row of `RoleStanding`. */
export const standingSql = `SELECT${standing}`;

/** One row of `ServerCapabilities`. */
export const capabilitiesSql = `
SELECT pg_catalog.current_setting('server_version') AS "version",
       pg_catalog.current_setting('server_version_num')::int AS "versionNumber",
       pg_catalog.version() AS "product",
       pg_catalog.current_database() AS "database",
       current_user AS "role",
       pg_catalog.current_setting('max_connections')::int AS "maxConnections",
       pg_catalog.current_setting('superuser_reserved_connections')::int AS "superuserReserved",
       coalesce(pg_catalog.current_setting('reserved_connections', true), '0')::int AS "reserved",
       coalesce(pg_catalog.has_function_privilege(
         pg_catalog.to_regprocedure('pg_catalog.pg_blocking_pids(int)'), 'EXECUTE'), false) AS "namesBlockers",
       (SELECT setting::int FROM pg_catalog.pg_settings
         WHERE name OPERATOR(pg_catalog.=) 'track_activity_query_size') AS "queryTextLimit",
       pg_catalog.current_setting('track_activities')::boolean AS "tracksActivities",${standing}`;
