/** How many rows of `owned` are those of the role. */
const count = (condition: string) =>
  `(SELECT pg_catalog.count(*)::pg_catalog.int4 FROM owned WHERE (owned.owner OPERATOR(pg_catalog.=) role.oid) AND ${condition})`;

const isOf = (catalog: string) =>
  `(owned.classid OPERATOR(pg_catalog.=) 'pg_catalog.${catalog}'::pg_catalog.regclass)`;

const isRelation = (kinds: string) =>
  `(owned.relkind OPERATOR(pg_catalog.=) ANY ('{${kinds}}'::pg_catalog.text[]))`;

/**
 * One row of `CodeOwner` for every role whose code a statement in this database may run: who owns anything in it, by
 * `pg_shdepend`, where PostgreSQL notes the owner of every object whatever its kind, those of the bootstrap superuser
 * excepted; who owns the database, and so its settings; and who may create objects in it. A grant to PUBLIC counts for
 * every role that can connect. Superusers and the role that logged in are left out, and large objects, which hold no
 * code.
 */
export const codeOwnersSql = `
WITH base AS (
  SELECT held.oid, held.datdba, held.datacl FROM pg_catalog.pg_database AS held
   WHERE (held.datname OPERATOR(pg_catalog.=) pg_catalog.current_database())
), owned AS MATERIALIZED (
  SELECT held.refobjid AS owner, held.classid, relation.relkind::pg_catalog.text AS relkind
    FROM pg_catalog.pg_shdepend AS held
    JOIN base ON (held.dbid OPERATOR(pg_catalog.=) base.oid)
    LEFT JOIN pg_catalog.pg_class AS relation
      ON ((held.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass)
          AND (relation.oid OPERATOR(pg_catalog.=) held.objid))
   WHERE (held.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_authid'::pg_catalog.regclass)
     AND (held.deptype::pg_catalog.text OPERATOR(pg_catalog.=) 'o'::pg_catalog.text)
     AND (held.classid OPERATOR(pg_catalog.<>) 'pg_catalog.pg_largeobject'::pg_catalog.regclass)
), granted AS MATERIALIZED (
  SELECT held.grantee FROM (
    SELECT place.nspacl AS acl FROM pg_catalog.pg_namespace AS place
    UNION ALL SELECT base.datacl FROM base
  ) AS guarded CROSS JOIN LATERAL pg_catalog.aclexplode(guarded.acl) AS held
   WHERE (held.privilege_type OPERATOR(pg_catalog.=) 'CREATE'::pg_catalog.text)
), role AS (
  SELECT who.oid, who.rolname, (who.oid OPERATOR(pg_catalog.=) base.datdba) AS "ownsDatabase",
         (EXISTS (SELECT FROM granted WHERE (granted.grantee OPERATOR(pg_catalog.=) who.oid))
          OR (who.rolcanlogin
              AND pg_catalog.has_database_privilege(who.oid, base.oid, 'CONNECT'::pg_catalog.text)
              AND EXISTS (SELECT FROM granted WHERE (granted.grantee OPERATOR(pg_catalog.=) 0::pg_catalog.oid)))
         ) AS "mayCreate"
    FROM pg_catalog.pg_roles AS who CROSS JOIN base
   WHERE NOT who.rolsuper AND (who.rolname OPERATOR(pg_catalog.<>) session_user)
     AND (who.rolname OPERATOR(pg_catalog.<>) 'pg_database_owner'::pg_catalog.name)
)
SELECT role.rolname::pg_catalog.text AS "name", role."ownsDatabase", role."mayCreate",
       ${count(isOf('pg_proc'))} AS "functions",
       ${count(isRelation('v,m'))} AS "views",
       ${count(isRelation('r,p,f'))} AS "tables",
       ${count(isOf('pg_type'))} AS "types",
       ${count(isOf('pg_operator'))} AS "operators",
       ${count('true')} AS "objects"
  FROM role
 WHERE role."ownsDatabase" OR role."mayCreate"
    OR EXISTS (SELECT FROM owned WHERE (owned.owner OPERATOR(pg_catalog.=) role.oid))
 ORDER BY "objects" DESC, role.rolname`;
