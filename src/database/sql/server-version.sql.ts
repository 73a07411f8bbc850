/** For example `18.4 (Debian 18.4-1)`. */
export const serverVersionSql = `SELECT pg_catalog.current_setting('server_version') AS "version"`;
