/**
 * What functions are and what their definitions name. $1 OIDs. `tree` holds the body of a function in standard SQL
 * (PostgreSQL 14) and the defaults of arguments, as node trees; `parts` are the functions of an aggregate.
 * The column `prosqlbody` is asked for through JSON, since older servers lack it.
 */
export const calledFunctionsSql = `
SELECT called.oid AS "oid", space.nspname::pg_catalog.text AS "schema", called.proname::pg_catalog.text AS "name",
       pg_catalog.oidvectortypes(called.proargtypes) AS "arguments",
       language.lanname::pg_catalog.text AS "language", called.prokind::pg_catalog.text AS "kind",
       called.provolatile::pg_catalog.text AS "volatility", called.prosecdef AS "isDefiner",
       owner.rolname::pg_catalog.text AS "owner", (owner.rolname OPERATOR(pg_catalog.=) current_user) AS "isOwn",
       owner.rolsuper AS "isOfSuperuser",
       (SELECT extension.extname::pg_catalog.text
          FROM pg_catalog.pg_depend AS member
          JOIN pg_catalog.pg_extension AS extension ON (extension.oid OPERATOR(pg_catalog.=) member.refobjid)
         WHERE (member.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_proc'::pg_catalog.regclass)
           AND (member.objid OPERATOR(pg_catalog.=) called.oid)
           AND (member.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_extension'::pg_catalog.regclass)
           AND (member.deptype::pg_catalog.text OPERATOR(pg_catalog.=) 'e'::pg_catalog.text)
         LIMIT 1) AS "extension",
       coalesce(called.proconfig, ARRAY[]::pg_catalog.text[]) AS "settings",
       pg_catalog.left(called.prosrc, 200001) AS "source",
       (pg_catalog.to_jsonb(called) OPERATOR(pg_catalog.->>) 'prosqlbody'::pg_catalog.text) AS "tree",
       called.proargdefaults::pg_catalog.text AS "defaults",
       ARRAY[aggregate.aggtransfn, aggregate.aggfinalfn, aggregate.aggcombinefn, aggregate.aggserialfn,
             aggregate.aggdeserialfn, aggregate.aggmtransfn, aggregate.aggminvtransfn, aggregate.aggmfinalfn
            ]::pg_catalog.oid[] AS "parts",
       pg_catalog.array_append(
         coalesce(called.proallargtypes, called.proargtypes::pg_catalog.oid[]), called.prorettype) AS "types"
  FROM pg_catalog.pg_proc AS called
  JOIN pg_catalog.pg_namespace AS space ON (space.oid OPERATOR(pg_catalog.=) called.pronamespace)
  JOIN pg_catalog.pg_language AS language ON (language.oid OPERATOR(pg_catalog.=) called.prolang)
  LEFT JOIN pg_catalog.pg_aggregate AS aggregate
    ON (aggregate.aggfnoid::pg_catalog.oid OPERATOR(pg_catalog.=) called.oid)
  JOIN pg_catalog.pg_roles AS owner ON (owner.oid OPERATOR(pg_catalog.=) called.proowner)
 WHERE (called.oid OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.oid[]))`;
