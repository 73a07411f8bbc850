import type { Note, OwnedWay } from './owned-way.ts';

/** A function of two integers that says yes, without a trap. */
const quiet = (name: string) =>
  `CREATE FUNCTION loot.${name}(int, int) RETURNS bool IMMUTABLE LANGUAGE plpgsql AS 'BEGIN RETURN true; END'`;
/** The same with a trap. */
const noisy = (name: string, note: Note, type = 'int') =>
  `CREATE FUNCTION loot.${name}(${type}, ${type}) RETURNS bool IMMUTABLE ${note('true')}`;
const operator = (symbol: string, name: string, more = '', type = 'int') =>
  `CREATE OPERATOR loot.${symbol} (FUNCTION = loot.${name}, LEFTARG = ${type}, RIGHTARG = ${type}${more})`;

/** An enum, and a `=` of it in a schema that is on everybody's path: more exact than the one of all enums. */
const twinOfEnum = (type: string, note: Note) => [
  `CREATE TYPE loot.${type} AS ENUM ('good', 'bad')`,
  noisy(`same_${type}`, note, `loot.${type}`),
  `CREATE OPERATOR public.= (FUNCTION = loot.same_${type}, LEFTARG = loot.${type}, RIGHTARG = loot.${type})`,
];

/** What the planner and the parser take for an operator that a statement names. */
export const operatorWays: readonly OwnedWay[] = [
  {
    name: 'negator of an operator',
    setup: (note) => [
      quiet('is_same'),
      noisy('is_other', note),
      operator('===', 'is_same', ', NEGATOR = OPERATOR(loot.!==)'),
      operator('!==', 'is_other', ', NEGATOR = OPERATOR(loot.===)'),
    ],
    statement: 'SELECT id FROM loot.source WHERE NOT (id OPERATOR(loot.===) 5)',
  },
  {
    name: 'commutator, whose estimate runs it',
    setup: (note) => [
      quiet('below'),
      noisy('above', note),
      operator('<<<', 'below', ', COMMUTATOR = OPERATOR(loot.>>>), RESTRICT = scalarltsel'),
      operator('>>>', 'above', ', COMMUTATOR = OPERATOR(loot.<<<), RESTRICT = scalargtsel'),
    ],
    statement: 'SELECT id FROM loot.source WHERE 5 OPERATOR(loot.<<<) rating',
  },
  {
    name: 'negator, whose estimate runs it',
    setup: (note) => [
      noisy('alike', note),
      quiet('unlike'),
      operator('=~=', 'alike', ', NEGATOR = OPERATOR(loot.!~=)'),
      operator('!~=', 'unlike', ', NEGATOR = OPERATOR(loot.=~=), RESTRICT = neqsel'),
    ],
    statement: 'SELECT id FROM loot.source WHERE rating OPERATOR(loot.!~=) 1',
  },
  {
    name: 'RESTRICT estimate of a statement that fetches nothing',
    setup: (note) => [noisy('estimated', note), operator('=?=', 'estimated', ', RESTRICT = eqsel')],
    statement: 'SELECT id FROM loot.source WHERE rating OPERATOR(loot.=?=) 1 LIMIT 0',
  },
  {
    name: 'JOIN estimate of a statement that fetches nothing',
    setup: (note) => [noisy('joined', note), operator('=*=', 'joined', ', JOIN = eqjoinsel')],
    statement:
      'SELECT a.id FROM loot.source AS a JOIN loot.source AS b ON a.rating OPERATOR(loot.=*=) b.rating LIMIT 0',
  },
  {
    name: 'estimate over a histogram',
    since: 13,
    setup: (note) => [
      noisy('matched', note),
      operator('~=~', 'matched', ', RESTRICT = matchingsel'),
    ],
    statement: 'SELECT id FROM loot.source WHERE id OPERATOR(loot.~=~) 1 LIMIT 0',
  },
  {
    name: 'estimate over statistics of two columns',
    setup: (note) => [
      noisy('correlated', note),
      operator('=+=', 'correlated', ', RESTRICT = eqsel'),
      'CREATE TABLE loot.pairs AS SELECT n % 3 AS a, n % 3 AS b FROM pg_catalog.generate_series(1, 99) AS n',
      'CREATE STATISTICS loot.pairing (mcv) ON a, b FROM loot.pairs',
      'ANALYZE loot.pairs',
    ],
    statement:
      'SELECT a FROM loot.pairs WHERE a OPERATOR(loot.=+=) 1 AND b OPERATOR(loot.=+=) 1 LIMIT 0',
  },
  {
    name: 'prefix operator',
    setup: (note) => [
      `CREATE FUNCTION loot.doubt(int) RETURNS bool ${note('true')}`,
      'CREATE OPERATOR loot.!? (FUNCTION = loot.doubt, RIGHTARG = int)',
    ],
    statement: 'SELECT OPERATOR(loot.!?) id FROM loot.source',
  },
  {
    name: 'operator over ANY of an array',
    setup: (note) => [noisy('one_of', note), operator('=|=', 'one_of')],
    statement: 'SELECT id FROM loot.source WHERE id OPERATOR(loot.=|=) ANY (ARRAY[1, 2])',
  },
  {
    name: 'operator whose SQL is inlined',
    setup: (note) => [
      noisy('inner_part', note),
      `CREATE FUNCTION loot.inlined(int, int) RETURNS bool LANGUAGE sql AS 'SELECT loot.inner_part($1, $2)'`,
      operator('=%=', 'inlined'),
    ],
    statement: 'SELECT id FROM loot.source WHERE id OPERATOR(loot.=%=) 1',
  },
  {
    name: 'operator that became a member of a trusted extension',
    since: 13,
    setup: (note) => [
      'CREATE EXTENSION IF NOT EXISTS hstore SCHEMA public',
      noisy('member', note),
      operator('=&=', 'member'),
      'ALTER EXTENSION hstore ADD OPERATOR loot.=&= (int, int)',
      `CREATE FUNCTION loot.asks_member(n int) RETURNS bool LANGUAGE plpgsql AS $f$ BEGIN RETURN n OPERATOR(loot.=&=) 1; END $f$`,
    ],
    statement: 'SELECT loot.asks_member(id) FROM loot.source',
  },
  {
    name: 'function that became a member of a trusted extension',
    since: 13,
    setup: (note) => [
      'CREATE EXTENSION IF NOT EXISTS hstore SCHEMA public',
      `CREATE FUNCTION public.akeys(int) RETURNS int ${note('1')}`,
      'ALTER EXTENSION hstore ADD FUNCTION public.akeys(int)',
    ],
    statement: 'SELECT public.akeys(id) FROM loot.source',
  },
  {
    name: '= of two varchars, though pg_catalog comes first',
    setup: (note) => [
      noisy('same_word', note, 'varchar'),
      'CREATE OPERATOR public.= (FUNCTION = loot.same_word, LEFTARG = varchar, RIGHTARG = varchar)',
    ],
    statement: `SELECT id FROM loot.source WHERE word = 'one'`,
  },
  {
    name: 'IN over an enum',
    setup: (note) => twinOfEnum('of_in', note),
    statement: `SELECT 1 FROM loot.source WHERE 'good'::loot.of_in IN ('good', 'bad')`,
  },
  {
    name: 'CASE over an enum',
    setup: (note) => twinOfEnum('of_case', note),
    statement: `SELECT CASE 'good'::loot.of_case WHEN 'bad' THEN 1 END`,
  },
  {
    name: 'NULLIF of an enum',
    setup: (note) => twinOfEnum('of_nullif', note),
    statement: `SELECT NULLIF('good'::loot.of_nullif, 'bad')`,
  },
  {
    name: 'IS DISTINCT FROM of an enum',
    setup: (note) => twinOfEnum('of_distinct', note),
    statement: `SELECT 'good'::loot.of_distinct IS DISTINCT FROM 'bad'`,
  },
  {
    name: 'NATURAL JOIN over an enum',
    setup: (note) => [
      ...twinOfEnum('of_join', note),
      `CREATE TABLE loot.joined_by AS SELECT 'good'::loot.of_join AS mood`,
    ],
    statement: 'SELECT mood FROM loot.joined_by AS a NATURAL JOIN loot.joined_by AS b',
  },
  {
    name: 'LIKE of a varchar',
    setup: (note) => [
      noisy('looks_like', note, 'varchar'),
      'CREATE OPERATOR public.~~ (FUNCTION = loot.looks_like, LEFTARG = varchar, RIGHTARG = varchar)',
    ],
    statement: `SELECT id FROM loot.source WHERE word LIKE 'o%'`,
  },
];
