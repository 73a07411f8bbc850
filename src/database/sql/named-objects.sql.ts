/**
 * What a body that is text may mean by a name: functions, relations, and types of this database. $1 names. A function
 * of one argument that is a row can be called like a column, `row.name` (`isAttribute`).
 */
export const namedObjectsSql = `
SELECT 'function' AS "kind", called.oid AS "oid", called.proname::pg_catalog.text AS "name",
       space.nspname::pg_catalog.text AS "schema",
       ((called.pronargs OPERATOR(pg_catalog.=) 1::pg_catalog.int2) AND EXISTS (
         SELECT FROM pg_catalog.pg_type AS argument
          WHERE (argument.oid OPERATOR(pg_catalog.=) ANY (called.proargtypes::pg_catalog.oid[]))
            AND (argument.typtype::pg_catalog.text OPERATOR(pg_catalog.=) ANY ('{c,p,d}'::pg_catalog.text[])))) AS "isAttribute"
  FROM pg_catalog.pg_proc AS called
  JOIN pg_catalog.pg_namespace AS space ON (space.oid OPERATOR(pg_catalog.=) called.pronamespace)
 WHERE (called.proname OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.name[]))
UNION ALL
SELECT 'relation', relation.oid, relation.relname::pg_catalog.text, space.nspname::pg_catalog.text, false
  FROM pg_catalog.pg_class AS relation
  JOIN pg_catalog.pg_namespace AS space ON (space.oid OPERATOR(pg_catalog.=) relation.relnamespace)
 WHERE (relation.relname OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.name[]))
   AND (relation.relkind::pg_catalog.text OPERATOR(pg_catalog.=) ANY ('{r,v,m,f,p}'::pg_catalog.text[]))
UNION ALL
SELECT 'type', type.oid, type.typname::pg_catalog.text, space.nspname::pg_catalog.text, false
  FROM pg_catalog.pg_type AS type
  JOIN pg_catalog.pg_namespace AS space ON (space.oid OPERATOR(pg_catalog.=) type.typnamespace)
 WHERE (type.typname OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.name[]))
   AND (type.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid)`;
