/** What no two servers have in common, and which database of it this is: `startedAt` in UTC, `database`. */
export const serverIdentitySql = `
SELECT pg_catalog.to_char(
         pg_catalog.pg_postmaster_start_time() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "startedAt",
       pg_catalog.current_database() AS "database"`;
