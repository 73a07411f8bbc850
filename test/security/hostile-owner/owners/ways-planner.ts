import type { Note, OwnedWay } from './owned-way.ts';

/** A function that calls itself immutable, so the planner replaces each call with constants by its value. */
const folded = (name: string, note: Note, type = 'int', value = '1') =>
  `CREATE FUNCTION loot.${name}(int) RETURNS ${type} IMMUTABLE ${note(value)}`;

/** Expressions beside a table that the planner simplifies, whatever a statement asks of that table. */
export const plannerWays: readonly OwnedWay[] = [
  {
    name: 'expression of an index',
    setup: (note) => [
      folded('of_index', note),
      'CREATE TABLE loot.indexed (id int)',
      'CREATE INDEX ON loot.indexed ((id + loot.of_index(7)))',
    ],
    statement: 'SELECT id FROM loot.indexed LIMIT 0',
  },
  {
    name: 'predicate of an index',
    setup: (note) => [
      folded('of_predicate', note),
      'CREATE TABLE loot.partly_indexed (id int)',
      'CREATE INDEX ON loot.partly_indexed (id) WHERE id > loot.of_predicate(7)',
    ],
    statement: 'SELECT id FROM loot.partly_indexed LIMIT 0',
  },
  {
    name: 'expression of statistics',
    since: 14,
    setup: (note) => [
      folded('of_statistics', note),
      'CREATE TABLE loot.measured (id int)',
      'CREATE STATISTICS loot.measuring ON (id + loot.of_statistics(7)), id FROM loot.measured',
      'INSERT INTO loot.measured SELECT n % 5 FROM pg_catalog.generate_series(1, 99) AS n',
      'ANALYZE loot.measured',
    ],
    statement: 'SELECT id FROM loot.measured LIMIT 0',
  },
  {
    name: 'CHECK of an inherited child, which might exclude it',
    setup: (note) => [
      folded('of_check', note),
      'CREATE TABLE loot.parent (id int)',
      'CREATE TABLE loot.child (CHECK (id > loot.of_check(7))) INHERITS (loot.parent)',
    ],
    statement: 'SELECT id FROM loot.parent WHERE id = 5 LIMIT 0',
  },
  {
    name: 'index of an inherited child',
    setup: (note) => [
      folded('of_child', note),
      'CREATE TABLE loot.elder (id int)',
      'CREATE TABLE loot.younger () INHERITS (loot.elder)',
      'CREATE INDEX ON loot.younger ((id + loot.of_child(7)))',
    ],
    statement: 'SELECT id FROM loot.elder LIMIT 0',
  },
  {
    name: 'partition key',
    setup: (note) => [
      folded('of_key', note),
      'CREATE TABLE loot.parted (id int) PARTITION BY RANGE ((id + loot.of_key(7)))',
      'CREATE TABLE loot.part PARTITION OF loot.parted FOR VALUES FROM (1) TO (100)',
    ],
    statement: 'SELECT id FROM loot.parted LIMIT 0',
  },
  {
    name: 'DEFAULT partition with an index of its own',
    setup: (note) => [
      folded('of_default', note),
      'CREATE TABLE loot.split (id int) PARTITION BY LIST (id)',
      'CREATE TABLE loot.others PARTITION OF loot.split DEFAULT',
      'CREATE INDEX ON loot.others ((id + loot.of_default(7)))',
    ],
    statement: 'SELECT id FROM loot.split LIMIT 0',
  },
  {
    name: 'LIMIT 0 over a constant call',
    setup: (note) => [folded('constant_call', note)],
    statement: 'SELECT loot.constant_call(7) LIMIT 0',
  },
  {
    name: 'WHERE false over a constant call',
    setup: (note) => [folded('never_reached', note)],
    statement: 'SELECT loot.never_reached(7) FROM loot.source WHERE false',
  },
  {
    name: 'branch of a CASE that is never taken',
    setup: (note) => [folded('not_taken', note)],
    statement: 'SELECT CASE WHEN id > 99 THEN loot.not_taken(7) END FROM loot.source',
  },
];
