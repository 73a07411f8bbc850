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
