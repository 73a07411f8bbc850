/** Does nothing: for whoever times the way to a server and back, or needs a pooler to lend a backend. */
export const nothingSql = 'SELECT 1';

/** What no two servers have in common, and which database of it this is: `startedAt` in UTC, `database`. */
export const serverIdentitySql = `
SELECT pg_catalog.to_char(
         pg_catalog.pg_postmaster_start_time() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "startedAt",
       pg_catalog.current_database() AS "database"`;

/** For example `18.4 (Debian 18.4-1)`. */
export const serverVersionSql = `SELECT pg_catalog.current_setting('server_version') AS "version"`;

/** Probed when the user names no statement: a light read that keeps one core of the server busy. */
export const standInSql =
  'SELECT pg_catalog.count(*), pg_catalog.avg(n) FROM pg_catalog.generate_series(1, 2000) AS n';
