/** Of the histogram, which may have 10,001 bounds. */
const mostBounds = 200;
const mostCommon = 1000;

/**
 * The first table of a list that has a column, as the search path of the session leads to it, with what `pg_stats` keeps of the column:
 * nothing where the role may not read it, where policies hide rows from the role, and before an ANALYZE. $1 schemas, each null where the
 * search path decides; $2 tables; $3 the column.
 *
 * `pg_stats` shows what the role may read only. Its values are of any type, and text from here on.
 */
export const columnValuesSql = `
SELECT home.nspname::pg_catalog.text AS "schema", relation.relname::pg_catalog.text AS "table",
       part.attname::pg_catalog.text AS "column",
       (part.atttypid OPERATOR(pg_catalog.=) ANY ('{20,21,23}'::pg_catalog.oid[])) AS "isWhole",
       pg_catalog.has_column_privilege(relation.oid, part.attnum, 'SELECT'::pg_catalog.text) AS "mayRead",
       pg_catalog.row_security_active(relation.oid) AS "hasPolicies",
       pg_catalog.to_json(known.common) AS "common", pg_catalog.to_json(known.shares) AS "shares",
       pg_catalog.to_json(known.bounds) AS "bounds", known.rest AS "rest"
  FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.text[]), pg_catalog.unnest($2::pg_catalog.text[]))
       WITH ORDINALITY AS wanted (schema, name, place)
  JOIN pg_catalog.pg_class AS relation
    ON (relation.oid OPERATOR(pg_catalog.=) pg_catalog.to_regclass(
          coalesce(pg_catalog.quote_ident(wanted.schema) OPERATOR(pg_catalog.||) '.'::pg_catalog.text, ''::pg_catalog.text)
          OPERATOR(pg_catalog.||) pg_catalog.quote_ident(wanted.name))::pg_catalog.oid)
  JOIN pg_catalog.pg_namespace AS home ON (home.oid OPERATOR(pg_catalog.=) relation.relnamespace)
  JOIN pg_catalog.pg_attribute AS part
    ON (part.attrelid OPERATOR(pg_catalog.=) relation.oid) AND (part.attname OPERATOR(pg_catalog.=) $3::pg_catalog.name)
   AND (part.attnum OPERATOR(pg_catalog.>) 0) AND NOT part.attisdropped
  LEFT JOIN LATERAL (
    SELECT (stats.most_common_vals::pg_catalog.text::pg_catalog.text[])[1:${mostCommon}] AS common,
           stats.most_common_freqs[1:${mostCommon}] AS shares,
           ARRAY(SELECT bound.value
                   FROM pg_catalog.unnest(stats.histogram_bounds::pg_catalog.text::pg_catalog.text[])
                        WITH ORDINALITY AS bound (value, place)
                  WHERE (pg_catalog.mod(bound.place OPERATOR(pg_catalog.-) 1, pg_catalog.int8(
                           1 OPERATOR(pg_catalog.+) (pg_catalog.cardinality(
                             stats.histogram_bounds::pg_catalog.text::pg_catalog.text[]) OPERATOR(pg_catalog./) ${mostBounds})))
                         OPERATOR(pg_catalog.=) 0)
                  ORDER BY bound.place) AS bounds,
           (1 OPERATOR(pg_catalog.-) stats.null_frac)::pg_catalog.float8 AS rest
      FROM pg_catalog.pg_stats AS stats
     WHERE (stats.schemaname OPERATOR(pg_catalog.=) home.nspname) AND (stats.tablename OPERATOR(pg_catalog.=) relation.relname)
       AND (stats.attname OPERATOR(pg_catalog.=) part.attname)
     ORDER BY stats.inherited DESC LIMIT 1
  ) AS known ON true
 ORDER BY wanted.place LIMIT 1`;
