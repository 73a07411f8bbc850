/**
 * What functions are. $1 their OIDs, $2 OIDs of operators, $3 OIDs of relations whose triggers run. The body in standard
 * SQL (PostgreSQL 14) is a node tree; the column `prosqlbody` is asked for through JSON, since older servers lack it.
 */
export const calledFunctionsSql = `
SELECT called.oid AS "oid", space.nspname::pg_catalog.text AS "schema", called.proname::pg_catalog.text AS "name",
       pg_catalog.oidvectortypes(called.proargtypes) AS "arguments",
       language.lanname::pg_catalog.text AS "language", called.prokind::pg_catalog.text AS "kind",
       called.provolatile::pg_catalog.text AS "volatility", called.prosecdef AS "isDefiner",
       (SELECT extension.extname::pg_catalog.text
          FROM pg_catalog.pg_depend AS member
          JOIN pg_catalog.pg_extension AS extension ON (extension.oid OPERATOR(pg_catalog.=) member.refobjid)
         WHERE (member.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_proc'::pg_catalog.regclass)
           AND (member.objid OPERATOR(pg_catalog.=) called.oid)
           AND (member.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_extension'::pg_catalog.regclass)
           AND (member.deptype::pg_catalog.text OPERATOR(pg_catalog.=) 'e'::pg_catalog.text)
         LIMIT 1) AS "extension",
       pg_catalog.left(called.prosrc, 100000) AS "source",
       (pg_catalog.to_jsonb(called) OPERATOR(pg_catalog.->>) 'prosqlbody'::pg_catalog.text) AS "tree"
  FROM pg_catalog.pg_proc AS called
  JOIN pg_catalog.pg_namespace AS space ON (space.oid OPERATOR(pg_catalog.=) called.pronamespace)
  JOIN pg_catalog.pg_language AS language ON (language.oid OPERATOR(pg_catalog.=) called.prolang)
 WHERE (called.oid OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.oid[]))
    OR (called.oid OPERATOR(pg_catalog.=) ANY (ARRAY(
         SELECT used.oprcode::pg_catalog.oid FROM pg_catalog.pg_operator AS used
          WHERE (used.oid OPERATOR(pg_catalog.=) ANY ($2::pg_catalog.oid[])))))
    OR (called.oid OPERATOR(pg_catalog.=) ANY (ARRAY(
         SELECT fired.tgfoid FROM pg_catalog.pg_trigger AS fired
          WHERE (fired.tgrelid OPERATOR(pg_catalog.=) ANY ($3::pg_catalog.oid[])) AND NOT fired.tgisinternal)))
 ORDER BY called.oid`;
