import type { OwnedWay } from './owned-way.ts';

/** What stands behind the name of a table. */
export const relationWays: readonly OwnedWay[] = [
  {
    name: 'view that a superuser would take for a table',
    setup: (note) => [
      `CREATE FUNCTION loot.of_view(int) RETURNS int ${note('$1')}`,
      'CREATE VIEW loot.seen AS SELECT loot.of_view(id) AS id FROM loot.source',
    ],
    statement: 'SELECT id FROM loot.seen',
  },
  {
    name: 'condition of a view',
    setup: (note) => [
      `CREATE FUNCTION loot.of_condition(int) RETURNS bool ${note('true')}`,
      'CREATE VIEW loot.filtered AS SELECT id FROM loot.source WHERE loot.of_condition(id)',
    ],
    statement: 'SELECT id FROM loot.filtered',
  },
  {
    name: 'table that a rule made a view',
    until: 15,
    setup: (note) => [
      `CREATE FUNCTION loot.of_rule(int) RETURNS int ${note('$1')}`,
      'CREATE TABLE loot.once_a_table (id int)',
      'CREATE RULE "_RETURN" AS ON SELECT TO loot.once_a_table DO INSTEAD SELECT loot.of_rule(id) AS id FROM loot.source',
    ],
    statement: 'SELECT id FROM loot.once_a_table',
  },
  {
    name: 'five views deep',
    setup: (note) => [
      `CREATE FUNCTION loot.deep(int) RETURNS int ${note('$1')}`,
      'CREATE VIEW loot.depth_1 AS SELECT loot.deep(id) AS id FROM loot.source',
      ...[2, 3, 4, 5].map(
        (depth) => `CREATE VIEW loot.depth_${depth} AS SELECT id FROM loot.depth_${depth - 1}`,
      ),
    ],
    statement: 'SELECT id FROM loot.depth_5',
  },
  {
    name: 'policy for the victim alone',
    setup: (note) => [
      `CREATE FUNCTION loot.of_policy(int) RETURNS bool ${note('true')}`,
      'CREATE TABLE loot.guarded AS SELECT 1 AS id',
      'ALTER TABLE loot.guarded ENABLE ROW LEVEL SECURITY',
      'CREATE POLICY everybody ON loot.guarded USING (true)',
      'CREATE POLICY analysts ON loot.guarded AS RESTRICTIVE TO analyst USING (loot.of_policy(id))',
    ],
    statement: 'SELECT id FROM loot.guarded',
  },
  {
    name: 'policy behind a view with the rights of its reader',
    since: 15,
    setup: (note) => [
      `CREATE FUNCTION loot.of_invoker(int) RETURNS bool ${note('true')}`,
      'CREATE TABLE loot.fenced AS SELECT 1 AS id',
      'ALTER TABLE loot.fenced ENABLE ROW LEVEL SECURITY',
      'CREATE POLICY everybody ON loot.fenced USING (loot.of_invoker(id))',
      'CREATE VIEW loot.fenced_view WITH (security_invoker) AS SELECT id FROM loot.fenced',
    ],
    statement: 'SELECT id FROM loot.fenced_view',
  },
  {
    name: 'foreign table',
    setup: (note) => [
      `CREATE FUNCTION loot.of_remote(int) RETURNS int ${note('$1')}`,
      'CREATE VIEW loot.near AS SELECT loot.of_remote(id) AS id FROM loot.source',
      `CREATE FOREIGN TABLE loot.far (id int) SERVER far OPTIONS (schema_name 'loot', table_name 'near')`,
    ],
    statement: 'SELECT id FROM loot.far',
  },
  {
    name: 'inherited child that is a foreign table',
    setup: (note) => [
      `CREATE FUNCTION loot.of_far_child(int) RETURNS int ${note('$1')}`,
      'CREATE VIEW loot.near_child AS SELECT loot.of_far_child(id) AS id FROM loot.source',
      'CREATE TABLE loot.near_parent (id int)',
      `CREATE FOREIGN TABLE loot.far_child () INHERITS (loot.near_parent) SERVER far OPTIONS (schema_name 'loot', table_name 'near_child')`,
    ],
    statement: 'SELECT id FROM loot.near_parent',
  },
  {
    name: 'DEFAULT partition that is a foreign table',
    setup: (note) => [
      `CREATE FUNCTION loot.of_far_part(int) RETURNS int ${note('$1')}`,
      'CREATE VIEW loot.near_part AS SELECT loot.of_far_part(id) AS id FROM loot.source',
      'CREATE TABLE loot.far_parted (id int) PARTITION BY LIST (id)',
      `CREATE FOREIGN TABLE loot.far_part PARTITION OF loot.far_parted DEFAULT SERVER far OPTIONS (schema_name 'loot', table_name 'near_part')`,
    ],
    statement: 'SELECT id FROM loot.far_parted',
  },
  {
    name: 'temporary view that another client left on the backend',
    setup: (note) => [`CREATE FUNCTION loot.of_temporary() RETURNS int ${note('1')}`],
    left: 'CREATE TEMP VIEW left_behind AS SELECT loot.of_temporary() AS id',
    statement: 'SELECT id FROM left_behind',
  },
];
