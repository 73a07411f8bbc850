/**
 * The extension with its one function of that name, as nobody but a superuser can have made it: a member of the
 * extension, written in C, out of the library of PostgreSQL. A view or a function that is only called so is
 * another.
 */
const genuine = `
  pg_catalog.pg_extension AS extension
  JOIN pg_catalog.pg_namespace AS home ON (home.oid OPERATOR(pg_catalog.=) extension.extnamespace)
  JOIN pg_catalog.pg_depend AS member
    ON (member.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_extension'::pg_catalog.regclass)
   AND (member.refobjid OPERATOR(pg_catalog.=) extension.oid)
   AND (member.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_proc'::pg_catalog.regclass)
   AND (member.deptype OPERATOR(pg_catalog.=) 'e')
  JOIN pg_catalog.pg_proc AS called
    ON (called.oid OPERATOR(pg_catalog.=) member.objid)
   AND (called.proname OPERATOR(pg_catalog.=) 'pg_stat_statements')
   AND (called.pronamespace OPERATOR(pg_catalog.=) extension.extnamespace)
   AND (called.probin OPERATOR(pg_catalog.=) '$libdir/pg_stat_statements')
  JOIN pg_catalog.pg_language AS written
    ON (written.oid OPERATOR(pg_catalog.=) called.prolang) AND (written.lanname OPERATOR(pg_catalog.=) 'c')
  JOIN pg_catalog.pg_roles AS owner ON (owner.oid OPERATOR(pg_catalog.=) called.proowner) AND owner.rolsuper
 WHERE extension.extname OPERATOR(pg_catalog.=) 'pg_stat_statements'`;

/** `schema` and `version` of the genuine extension; no row without one. */
export const statisticsExtensionSql = `
SELECT home.nspname AS "schema", extension.extversion AS "version" FROM ${genuine}`;

/**
 * One row: `statements` as JSON, null for none, and how many are `hidden`. The function is called only if it is
 * still the genuine one: its argument comes from the row that says so. Version 1.8 renamed `total_time`, and 1.9
 * told what was called by functions apart.
 */
export function topStatementsSql(schema: string, version: string): string {
  const minor = Number(version.split('.')[1] ?? 0);
  const time = minor >= 8 ? 'total_exec_time' : 'total_time';
  const ofClients = minor >= 9 ? ' AND called.toplevel' : '';
  const name = `"${schema.replaceAll('"', '""')}".pg_stat_statements`;
  return `
WITH genuine AS MATERIALIZED (
  SELECT owner.rolsuper AS shows_text FROM ${genuine}
     AND (called.oid OPERATOR(pg_catalog.=) ${literal(`${name}(boolean)`)}::pg_catalog.regprocedure)
), seen AS (
  SELECT called.query, called.queryid, called.calls, called.${time} AS ms
    FROM genuine CROSS JOIN LATERAL ${name}(genuine.shows_text) AS called
   WHERE (called.dbid OPERATOR(pg_catalog.=) (
            SELECT oid FROM pg_catalog.pg_database
             WHERE datname OPERATOR(pg_catalog.=) pg_catalog.current_database()))${ofClients}
), top AS (
  SELECT pg_catalog.left(query, 100001) AS "text",
         pg_catalog.sum(calls)::pg_catalog.float8 AS "calls", pg_catalog.sum(ms)::pg_catalog.float8 AS "totalMs"
    FROM seen
   WHERE queryid IS NOT NULL AND query IS NOT NULL AND (calls OPERATOR(pg_catalog.>) 0)
   GROUP BY query ORDER BY 3 DESC LIMIT 500
)
SELECT (SELECT pg_catalog.json_agg(top) FROM top) AS "statements",
       (SELECT pg_catalog.count(*)::int FROM seen WHERE queryid IS NULL) AS "hidden"`;
}

/** A string that the server reads alike whatever its `standard_conforming_strings`. */
function literal(text: string): string {
  return `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
