/**
 * One row: as whom and along which path a session calls, and what may be called without being named: operators that
 * the database has beside those of PostgreSQL and of extensions, and domains with a CHECK, which runs as a literal is
 * read.
 */
export const callEnvironmentSql = `
SELECT current_user::pg_catalog.text AS "role",
       EXISTS (SELECT FROM pg_catalog.pg_roles AS self
                WHERE self.rolsuper AND ((self.rolname OPERATOR(pg_catalog.=) current_user)
                   OR (self.rolname OPERATOR(pg_catalog.=) session_user))) AS "isSuperuser",
       pg_catalog.current_schemas(true)::pg_catalog.text[] AS "schemas",
       (SELECT coalesce(pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object('symbol', own.oprname, 'oid', own.oid::pg_catalog.int8)),
                        '[]'::pg_catalog.jsonb)
          FROM pg_catalog.pg_operator AS own
         WHERE (own.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid) AND NOT EXISTS (
         SELECT FROM pg_catalog.pg_depend AS member
          WHERE (member.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_operator'::pg_catalog.regclass)
            AND (member.objid OPERATOR(pg_catalog.=) own.oid)
            AND (member.deptype::pg_catalog.text OPERATOR(pg_catalog.=) 'e'::pg_catalog.text))) AS "operators",
       ARRAY(SELECT DISTINCT condition.contypid FROM pg_catalog.pg_constraint AS condition
              WHERE (condition.contypid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid)) AS "domains"`;

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

/** The function behind each operator. $1 OIDs. */
export const calledOperatorsSql = `
SELECT called.oid AS "oid", called.oprcode::pg_catalog.oid AS "function"
  FROM pg_catalog.pg_operator AS called
 WHERE (called.oid OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.oid[]))`;

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

/** A definition that belongs to a relation: `kind`, its name, its node tree, and what it names besides. */
const part = (
  kind: string,
  from: string,
  {
    owner,
    name,
    tree = 'NULL',
    functions = 'NULL',
    relations = 'NULL',
    types = 'NULL',
  }: {
    readonly owner: string;
    readonly name: string;
    readonly tree?: string;
    readonly functions?: string;
    readonly relations?: string;
    readonly types?: string;
  },
) => `
SELECT wanted.oid AS "oid", wanted.schema AS "schema", wanted.name AS "name",
       wanted.relkind::pg_catalog.text AS "relationKind",
       wanted.relrowsecurity AS "hasRowSecurity", ${kind} AS "kind", ${name}::pg_catalog.text AS "part",
       ${tree}::pg_catalog.text AS "tree", ${functions}::pg_catalog.oid[] AS "functions",
       ${relations}::pg_catalog.oid[] AS "relations", ${types}::pg_catalog.oid[] AS "types"
  FROM wanted${from}
 WHERE ${owner}`;

const both = (one: string, other: string) =>
  `pg_catalog.concat_ws(' ', ${one}::pg_catalog.text, ${other}::pg_catalog.text)`;
const equal = (one: string, other: string) => `(${one} OPERATOR(pg_catalog.=) ${other})`;
const letter = (column: string, letters: readonly string[]) =>
  `(${column}::pg_catalog.text OPERATOR(pg_catalog.=) ANY ('{${letters.join(',')}}'::pg_catalog.text[]))`;

const columns = `ARRAY(
         SELECT part.atttypid FROM pg_catalog.pg_attribute AS part
          WHERE ${equal('part.attrelid', 'wanted.oid')}
            AND (part.attnum OPERATOR(pg_catalog.>) 0::pg_catalog.int2) AND NOT part.attisdropped)`;
const children = `ARRAY(
         SELECT child.inhrelid FROM pg_catalog.pg_inherits AS child WHERE ${equal('child.inhparent', 'wanted.oid')})`;

/**
 * What the server runs of a relation's definition when it is read or written. $1 OIDs. One row for the relation
 * itself, with its partitions and the types of its columns, and one for each definition; whoever asks knows which of
 * them matter to a statement that only reads. `stxexprs` is asked for through JSON, since servers before PostgreSQL
 * 14 lack it.
 */
export const calledRelationsSql = `
WITH wanted AS (
  SELECT relation.oid, space.nspname::pg_catalog.text AS schema, relation.relname::pg_catalog.text AS name,
         relation.relkind, relation.relrowsecurity
    FROM pg_catalog.pg_class AS relation
    JOIN pg_catalog.pg_namespace AS space ON (space.oid OPERATOR(pg_catalog.=) relation.relnamespace)
   WHERE (relation.oid OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.oid[]))
)
${[
  part("'relation'", '', {
    owner: 'true',
    name: 'wanted.name',
    relations: children,
    types: columns,
  }),
  part(
    `CASE WHEN ${letter('rule.ev_type', ['1'])} THEN 'view' ELSE 'rule' END`,
    ', pg_catalog.pg_rewrite AS rule',
    {
      owner: equal('rule.ev_class', 'wanted.oid'),
      name: 'rule.rulename',
      tree: both('rule.ev_qual', 'rule.ev_action'),
    },
  ),
  part("'policy'", ', pg_catalog.pg_policy AS policy', {
    owner: equal('policy.polrelid', 'wanted.oid'),
    name: 'policy.polname',
    tree: both('policy.polqual', 'policy.polwithcheck'),
  }),
  part(
    `CASE WHEN ${letter('field.attgenerated', ['s', 'v'])} THEN 'generated' ELSE 'default' END`,
    ', pg_catalog.pg_attrdef AS value, pg_catalog.pg_attribute AS field',
    {
      owner: `${equal('value.adrelid', 'wanted.oid')} 
   AND ${equal('field.attrelid', 'wanted.oid')} AND ${equal('field.attnum', 'value.adnum')}`,
      name: 'field.attname',
      tree: 'value.adbin',
    },
  ),
  part("'constraint'", ', pg_catalog.pg_constraint AS condition', {
    owner: `${equal('condition.conrelid', 'wanted.oid')} AND condition.conbin IS NOT NULL`,
    name: 'condition.conname',
    tree: 'condition.conbin',
  }),
  part("'index'", ', pg_catalog.pg_index AS index, pg_catalog.pg_class AS indexed', {
    owner: `${equal('index.indrelid', 'wanted.oid')} AND ${equal('indexed.oid', 'index.indexrelid')}
   AND (index.indexprs IS NOT NULL OR index.indpred IS NOT NULL)`,
    name: 'indexed.relname',
    tree: both('index.indexprs', 'index.indpred'),
  }),
  part("'statistics'", ', pg_catalog.pg_statistic_ext AS statistics', {
    owner: equal('statistics.stxrelid', 'wanted.oid'),
    name: 'statistics.stxname',
    tree: "(pg_catalog.to_jsonb(statistics) OPERATOR(pg_catalog.->>) 'stxexprs'::pg_catalog.text)",
  }),
  part("'partition key'", ', pg_catalog.pg_partitioned_table AS divided', {
    owner: `${equal('divided.partrelid', 'wanted.oid')} AND divided.partexprs IS NOT NULL`,
    name: 'wanted.name',
    tree: 'divided.partexprs',
  }),
  part("'trigger'", ', pg_catalog.pg_trigger AS trigger', {
    owner: `${equal('trigger.tgrelid', 'wanted.oid')} AND NOT trigger.tgisinternal
   AND NOT ${letter('trigger.tgenabled', ['D'])}`,
    name: 'trigger.tgname',
    tree: 'trigger.tgqual',
    functions: 'ARRAY[trigger.tgfoid]',
  }),
  part("'foreign key'", ', pg_catalog.pg_constraint AS reference', {
    owner: `${equal('reference.confrelid', 'wanted.oid')} AND ${letter('reference.contype', ['f'])}
   AND (${letter('reference.confdeltype', ['c', 'n', 'd'])} OR ${letter('reference.confupdtype', ['c', 'n', 'd'])})`,
    name: 'reference.conname',
    relations: 'ARRAY[reference.conrelid]',
  }),
].join('\nUNION ALL')}`;
