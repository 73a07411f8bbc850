import type { Note, OwnedWay } from './owned-way.ts';

const trigger = (name: string, note: Note, value = 'NEW') =>
  `CREATE FUNCTION loot.fires_${name}() RETURNS trigger ${note(value)}`;

/** What a statement that may write runs beside itself. */
export const writingWays: readonly OwnedWay[] = (
  [
    {
      name: 'default of a column',
      setup: (note) => [
        `CREATE FUNCTION loot.of_column() RETURNS int ${note('1')}`,
        'CREATE TABLE loot.with_default (id int, n int DEFAULT loot.of_column())',
      ],
      statement: 'INSERT INTO loot.with_default (id) VALUES (1)',
    },
    {
      name: 'default of a domain',
      setup: (note) => [
        `CREATE FUNCTION loot.of_domain_default() RETURNS int ${note('1')}`,
        'CREATE DOMAIN loot.with_own_default AS int DEFAULT loot.of_domain_default()',
        'CREATE TABLE loot.of_such_a_domain (id int, n loot.with_own_default)',
      ],
      statement: 'INSERT INTO loot.of_such_a_domain (id) VALUES (1)',
    },
    {
      name: 'stored generated column',
      setup: (note) => [
        `CREATE FUNCTION loot.of_generated(int) RETURNS int IMMUTABLE ${note('$1')}`,
        'CREATE TABLE loot.generated (id int, n int GENERATED ALWAYS AS (loot.of_generated(id)) STORED)',
      ],
      statement: 'INSERT INTO loot.generated (id) VALUES (1)',
    },
    {
      name: 'CHECK of a table',
      setup: (note) => [
        `CREATE FUNCTION loot.of_table_check(int) RETURNS bool ${note('true')}`,
        'CREATE TABLE loot.checked (id int CHECK (loot.of_table_check(id)))',
      ],
      statement: 'INSERT INTO loot.checked VALUES (1)',
    },
    {
      name: 'WITH CHECK of a policy',
      setup: (note) => [
        `CREATE FUNCTION loot.of_with_check(int) RETURNS bool ${note('true')}`,
        'CREATE TABLE loot.checked_by_policy (id int)',
        'ALTER TABLE loot.checked_by_policy ENABLE ROW LEVEL SECURITY',
        'CREATE POLICY everybody ON loot.checked_by_policy WITH CHECK (loot.of_with_check(id))',
      ],
      statement: 'INSERT INTO loot.checked_by_policy VALUES (1)',
    },
    {
      name: 'expression of an index, for a new row',
      setup: (note) => [
        `CREATE FUNCTION loot.of_new_row(int) RETURNS int IMMUTABLE ${note('$1')}`,
        'CREATE TABLE loot.indexed_on_insert (id int)',
        'CREATE INDEX ON loot.indexed_on_insert (loot.of_new_row(id))',
      ],
      statement: 'INSERT INTO loot.indexed_on_insert VALUES (1)',
    },
    {
      name: 'partition key, for a new row',
      setup: (note) => [
        `CREATE FUNCTION loot.of_routing(int) RETURNS int IMMUTABLE ${note('$1')}`,
        'CREATE TABLE loot.routed (id int) PARTITION BY LIST (loot.of_routing(id))',
        'CREATE TABLE loot.routed_rest PARTITION OF loot.routed DEFAULT',
      ],
      statement: 'INSERT INTO loot.routed VALUES (1)',
    },
    {
      name: 'assignment cast',
      setup: (note) => [
        `CREATE TYPE loot.assigned AS ENUM ('red')`,
        `CREATE FUNCTION loot.assigns(loot.assigned) RETURNS int ${note('1')}`,
        'CREATE CAST (loot.assigned AS int) WITH FUNCTION loot.assigns(loot.assigned) AS ASSIGNMENT',
      ],
      statement: `UPDATE loot.target SET id = 'red'::loot.assigned`,
    },
    {
      name: 'trigger for each statement',
      setup: (note) => [
        trigger('once', note, 'NULL'),
        'CREATE TABLE loot.on_statement (id int)',
        'CREATE TRIGGER fires AFTER UPDATE ON loot.on_statement EXECUTE FUNCTION loot.fires_once()',
      ],
      statement: 'UPDATE loot.on_statement SET id = 1',
    },
    {
      name: 'condition of a trigger',
      setup: (note) => [
        `CREATE FUNCTION loot.of_when(int) RETURNS bool ${note('false')}`,
        'CREATE TABLE loot.on_condition (id int)',
        'CREATE TRIGGER fires BEFORE INSERT ON loot.on_condition FOR EACH ROW WHEN (loot.of_when(NEW.id)) EXECUTE FUNCTION pg_catalog.suppress_redundant_updates_trigger()',
      ],
      statement: 'INSERT INTO loot.on_condition VALUES (1)',
    },
    {
      name: 'trigger instead of a write to a view',
      setup: (note) => [
        trigger('instead', note),
        'CREATE VIEW loot.written_view AS SELECT id FROM loot.target',
        'CREATE TRIGGER fires INSTEAD OF INSERT ON loot.written_view FOR EACH ROW EXECUTE FUNCTION loot.fires_instead()',
      ],
      statement: 'INSERT INTO loot.written_view VALUES (1)',
    },
    {
      name: 'trigger of a partition',
      setup: (note) => [
        trigger('partition', note),
        'CREATE TABLE loot.parted_target (id int) PARTITION BY LIST (id)',
        'CREATE TABLE loot.parted_rest PARTITION OF loot.parted_target DEFAULT',
        'CREATE TRIGGER fires AFTER INSERT ON loot.parted_rest FOR EACH ROW EXECUTE FUNCTION loot.fires_partition()',
      ],
      statement: 'INSERT INTO loot.parted_target VALUES (1)',
    },
    {
      name: 'trigger behind a foreign key that cascades',
      setup: (note) => [
        trigger('cascade', note, 'OLD'),
        'CREATE TABLE loot.referred (id int PRIMARY KEY)',
        'CREATE TABLE loot.referring (id int REFERENCES loot.referred ON DELETE CASCADE)',
        'INSERT INTO loot.referred VALUES (1)',
        'INSERT INTO loot.referring VALUES (1)',
        'CREATE TRIGGER fires AFTER DELETE ON loot.referring FOR EACH ROW EXECUTE FUNCTION loot.fires_cascade()',
      ],
      statement: 'DELETE FROM loot.referred',
    },
    {
      name: 'rule that replaces a write to a view',
      setup: (note) => [
        `CREATE FUNCTION loot.of_instead(int) RETURNS int ${note('$1')}`,
        'CREATE VIEW loot.ruled_view AS SELECT id FROM loot.source',
        'CREATE RULE takes AS ON INSERT TO loot.ruled_view DO INSTEAD INSERT INTO loot.target VALUES (loot.of_instead(NEW.id))',
      ],
      statement: 'INSERT INTO loot.ruled_view VALUES (1)',
    },
    {
      name: 'constraint trigger that fires at once',
      setup: (note) => [
        trigger('constraint', note),
        'CREATE TABLE loot.constrained (id int)',
        'CREATE CONSTRAINT TRIGGER fires AFTER INSERT ON loot.constrained FOR EACH ROW EXECUTE FUNCTION loot.fires_constraint()',
      ],
      statement: 'INSERT INTO loot.constrained VALUES (1)',
    },
  ] satisfies readonly Omit<OwnedWay, 'writes'>[]
).map((way): OwnedWay => ({ ...way, writes: true }));
