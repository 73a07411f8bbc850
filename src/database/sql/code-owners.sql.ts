/** How many rows of `owned` are those of the role. */
const count = (condition: string) =>
  `(SELECT pg_catalog.count(*)::pg_catalog.int4 FROM owned WHERE (owned.owner OPERATOR(pg_catalog.=) role.oid) AND ${condition})`;

const isOf = (catalog: string) =>
  `(owned.classid OPERATOR(pg_catalog.=) 'pg_catalog.${catalog}'::pg_catalog.regclass)`;

const isRelation = (kinds: string) =>
  `(owned.relkind OPERATOR(pg_catalog.=) ANY ('{${kinds}}'::pg_catalog.text[]))`;

/** Every catalog of this database that says who owns a row, with the column that does. */
const ownerColumns: Readonly<Record<string, string>> = {
  pg_class: 'relowner',
  pg_collation: 'collowner',
  pg_conversion: 'conowner',
  pg_event_trigger: 'evtowner',
  pg_extension: 'extowner',
  pg_foreign_data_wrapper: 'fdwowner',
  pg_foreign_server: 'srvowner',
  pg_language: 'lanowner',
  pg_namespace: 'nspowner',
  pg_opclass: 'opcowner',
  pg_operator: 'oprowner',
  pg_opfamily: 'opfowner',
  pg_proc: 'proowner',
  pg_publication: 'pubowner',
  pg_statistic_ext: 'stxowner',
  pg_ts_config: 'cfgowner',
  pg_ts_dict: 'dictowner',
  pg_type: 'typowner',
};

/** What roles of PostgreSQL's own own, as `pg_monitor` does what was given to it: `pg_shdepend` has nothing of pinned roles. */
const ownedByPinned = Object.entries(ownerColumns)
  .map(
    ([catalog, column]) => `
  SELECT held.${column}, 'pg_catalog.${catalog}'::pg_catalog.regclass::pg_catalog.oid, ${catalog === 'pg_class' ? 'held.relkind' : 'NULL'}::pg_catalog.text
    FROM pg_catalog.${catalog} AS held JOIN pinned ON (pinned.oid OPERATOR(pg_catalog.=) held.${column})`,
  )
  .join('\n  UNION ALL');

/**
 * One row of `CodeOwner` for every role whose code a statement in this database may run: who owns anything in it, by
 * `pg_shdepend`, where PostgreSQL notes the owner of every object whatever its kind, those of pinned roles excepted; who
 * owns the database, and so its settings; and who may create objects in it, where statements write ($1) triggers too,
 * whose conditions call anything and have no owner. A grant to PUBLIC counts for every role that can connect. Superusers
 * and the role that logged in are left out, and so is what holds no code: large objects, user mappings and default
 * privileges. And one for every foreign server that has tables here, whosever they are: to read one runs code of whoever
 * owns what is behind it, and that transaction is neither read-only nor seen from here.
 */
export const codeOwnersSql = `
WITH base AS (
  SELECT held.oid, held.datdba, held.datacl FROM pg_catalog.pg_database AS held
   WHERE (held.datname OPERATOR(pg_catalog.=) pg_catalog.current_database())
), pinned AS (
  SELECT held.oid FROM pg_catalog.pg_roles AS held
   WHERE (held.oid OPERATOR(pg_catalog.<) 16384::pg_catalog.oid) AND NOT held.rolsuper
), owned AS MATERIALIZED (
  SELECT held.refobjid AS owner, held.classid, relation.relkind::pg_catalog.text AS relkind
    FROM pg_catalog.pg_shdepend AS held
    JOIN base ON (held.dbid OPERATOR(pg_catalog.=) base.oid)
    LEFT JOIN pg_catalog.pg_class AS relation
      ON ((held.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass)
          AND (relation.oid OPERATOR(pg_catalog.=) held.objid))
   WHERE (held.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_authid'::pg_catalog.regclass)
     AND (held.deptype::pg_catalog.text OPERATOR(pg_catalog.=) 'o'::pg_catalog.text)
     AND (held.classid OPERATOR(pg_catalog.<>) ALL (ARRAY[
           'pg_catalog.pg_largeobject'::pg_catalog.regclass, 'pg_catalog.pg_user_mapping'::pg_catalog.regclass,
           'pg_catalog.pg_default_acl'::pg_catalog.regclass]))
  UNION ALL${ownedByPinned}
), granted AS MATERIALIZED (
  SELECT held.grantee FROM (
    SELECT place.nspacl AS acl FROM pg_catalog.pg_namespace AS place
    UNION ALL SELECT base.datacl FROM base
    UNION ALL SELECT relation.relacl FROM pg_catalog.pg_class AS relation WHERE $1::pg_catalog.bool
  ) AS guarded CROSS JOIN LATERAL pg_catalog.aclexplode(guarded.acl) AS held
   WHERE (held.privilege_type OPERATOR(pg_catalog.=) ANY ('{CREATE,TRIGGER}'::pg_catalog.text[]))
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
SELECT 'role'::pg_catalog.text AS "kind", role.rolname::pg_catalog.text AS "name", role."ownsDatabase", role."mayCreate",
       ${count(isOf('pg_proc'))} AS "functions",
       ${count(isRelation('v,m'))} AS "views",
       ${count(isRelation('r,p,f'))} AS "tables",
       ${count(isOf('pg_type'))} AS "types",
       ${count(isOf('pg_operator'))} AS "operators",
       ${count('true')} AS "objects"
  FROM role
 WHERE role."ownsDatabase" OR role."mayCreate"
    OR EXISTS (SELECT FROM owned WHERE (owned.owner OPERATOR(pg_catalog.=) role.oid))
UNION ALL
SELECT 'foreign server'::pg_catalog.text, held.srvname::pg_catalog.text, false, false, 0, 0, reached.tables, 0, 0, reached.tables
  FROM pg_catalog.pg_foreign_server AS held
 CROSS JOIN LATERAL (
   SELECT pg_catalog.count(*)::pg_catalog.int4 AS tables FROM pg_catalog.pg_foreign_table AS entry
    WHERE (entry.ftserver OPERATOR(pg_catalog.=) held.oid)) AS reached
 WHERE (reached.tables OPERATOR(pg_catalog.>) 0)
 ORDER BY "objects" DESC, "kind" DESC, "name"`;
