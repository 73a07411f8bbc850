/**
 * What values of types of this database make the server run. $1 OIDs. `types` are the base of a domain, the element
 * of an array or a range and the attributes of a row; `checks` those of a domain, as node trees; `functions` what
 * makes a range canonical, and the cast to json, which to_json() and its like look up by themselves (json.c); `casts`
 * those from it and to it.
 */
export const calledTypesSql = `
SELECT called.oid AS "oid", space.nspname::pg_catalog.text AS "schema", called.typname::pg_catalog.text AS "name",
       ARRAY(
         SELECT used.type
           FROM (SELECT called.typbasetype AS type
                 UNION ALL SELECT called.typelem
                 UNION ALL SELECT range.rngsubtype FROM pg_catalog.pg_range AS range
                            WHERE (range.rngtypid OPERATOR(pg_catalog.=) called.oid)
                 UNION ALL SELECT part.atttypid FROM pg_catalog.pg_attribute AS part
                            WHERE (part.attrelid OPERATOR(pg_catalog.=) called.typrelid)
                              AND (part.attnum OPERATOR(pg_catalog.>) 0::pg_catalog.int2)
                              AND NOT part.attisdropped) AS used
          WHERE (used.type OPERATOR(pg_catalog.<>) 0::pg_catalog.oid)) AS "types",
       ARRAY(
         SELECT run.function
           FROM (SELECT range.rngcanonical::pg_catalog.oid AS function
                   FROM pg_catalog.pg_range AS range WHERE (range.rngtypid OPERATOR(pg_catalog.=) called.oid)
                 UNION ALL SELECT range.rngsubdiff::pg_catalog.oid
                   FROM pg_catalog.pg_range AS range WHERE (range.rngtypid OPERATOR(pg_catalog.=) called.oid)
                 UNION ALL SELECT convert.castfunc FROM pg_catalog.pg_cast AS convert
                            WHERE (convert.castsource OPERATOR(pg_catalog.=) called.oid)
                              AND (convert.casttarget OPERATOR(pg_catalog.=) 114::pg_catalog.oid)) AS run
          WHERE (run.function OPERATOR(pg_catalog.<>) 0::pg_catalog.oid)) AS "functions",
       ARRAY(
         SELECT convert.castfunc FROM pg_catalog.pg_cast AS convert
          WHERE ((convert.castsource OPERATOR(pg_catalog.=) called.oid)
             OR (convert.casttarget OPERATOR(pg_catalog.=) called.oid))
            AND (convert.castfunc OPERATOR(pg_catalog.<>) 0::pg_catalog.oid)) AS "casts",
       ARRAY(
         SELECT condition.conbin::pg_catalog.text FROM pg_catalog.pg_constraint AS condition
          WHERE (condition.contypid OPERATOR(pg_catalog.=) called.oid) AND condition.conbin IS NOT NULL) AS "checks"
  FROM pg_catalog.pg_type AS called
  JOIN pg_catalog.pg_namespace AS space ON (space.oid OPERATOR(pg_catalog.=) called.typnamespace)
 WHERE (called.oid OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.oid[]))`;
