import type { Note, OwnedWay } from './owned-way.ts';

/** A domain `loot.<name>` over integers or another type, whose CHECK is a trap. */
const domain = (name: string, note: Note, base = 'int') => [
  `CREATE FUNCTION loot.checks_${name}(${base}) RETURNS bool ${note('true')}`,
  `CREATE DOMAIN loot.${name} AS ${base} CHECK (loot.checks_${name}(VALUE))`,
];
/** An enum `loot.<name>` with a cast, by a function that is a trap. */
const castEnum = (name: string, note: Note, to: string, value: string, how = 'AS IMPLICIT') => [
  `CREATE TYPE loot.${name} AS ENUM ('red')`,
  `CREATE FUNCTION loot.cast_${name}(loot.${name}) RETURNS ${to} ${note(value)}`,
  `CREATE CAST (loot.${name} AS ${to}) WITH FUNCTION loot.cast_${name}(loot.${name}) ${how}`,
];
const range = (name: string, difference: string) =>
  `CREATE TYPE loot.${name} AS RANGE (subtype = int, subtype_diff = loot.${difference})`;

/** Checks of domains, which every way to make a value of them runs. */
const domainWays: readonly OwnedWay[] = [
  {
    name: 'domain in the literal of an array, while it is parsed',
    setup: (note) => domain('in_array', note),
    statement: `SELECT '{1}'::loot.in_array[] LIMIT 0`,
  },
  {
    name: 'domain in the literal of a row, while it is parsed',
    setup: (note) => [
      ...domain('in_row', note),
      'CREATE TYPE loot.row_of_checked AS (n loot.in_row)',
    ],
    statement: `SELECT '(1)'::loot.row_of_checked LIMIT 0`,
  },
  {
    name: 'domain in the literal of a range, while it is parsed',
    setup: (note) => [
      ...domain('in_range', note),
      'CREATE TYPE loot.range_of_checked AS RANGE (subtype = loot.in_range)',
    ],
    statement: `SELECT '[1,2]'::loot.range_of_checked LIMIT 0`,
  },
  {
    name: 'domain in ROW',
    setup: (note) => [
      ...domain('in_construct', note),
      'CREATE TYPE loot.made_of_row AS (n loot.in_construct)',
    ],
    statement: 'SELECT ROW(id)::loot.made_of_row FROM loot.source',
  },
  {
    name: 'domain over a domain',
    setup: (note) => [
      ...domain('of_domain', note),
      'CREATE DOMAIN loot.outermost AS loot.of_domain',
    ],
    statement: 'SELECT id::loot.outermost FROM loot.source',
  },
  {
    name: 'domain over an array, with a subscript',
    setup: (note) => domain('listed', note, 'int[]'),
    statement: 'SELECT (ARRAY[id]::loot.listed)[1] FROM loot.source',
  },
  {
    name: 'domain that a function returns',
    setup: (note) => [
      ...domain('returned', note),
      `CREATE FUNCTION loot.gives_checked() RETURNS loot.returned LANGUAGE plpgsql AS $f$ BEGIN RETURN 1; END $f$`,
    ],
    statement: 'SELECT loot.gives_checked()',
  },
  {
    name: 'pg_input_is_valid, to which a domain is a text',
    since: 16,
    setup: (note) => domain('tested', note),
    statement: `SELECT pg_catalog.pg_input_is_valid('1', 'loot.tested')`,
  },
  {
    name: 'pg_input_error_info, to which a domain is a text',
    since: 16,
    setup: (note) => domain('asked_about', note),
    statement: `SELECT message FROM pg_catalog.pg_input_error_info('1', 'loot.asked_about')`,
  },
  {
    name: 'domain_in with the number of a domain',
    setup: (note) => domain('by_number', note),
    statement: `SELECT pg_catalog.domain_in('1', 'loot.by_number'::pg_catalog.regtype, -1) IS NULL`,
  },
  {
    name: 'json_populate_record',
    setup: (note) => [...domain('populated', note), 'CREATE TYPE loot.form AS (n loot.populated)'],
    statement: `SELECT n FROM pg_catalog.json_populate_record(NULL::loot.form, '{"n": 1}')`,
  },
  {
    name: 'jsonb_to_recordset',
    setup: (note) => domain('recorded', note),
    statement: `SELECT n FROM pg_catalog.jsonb_to_recordset('[{"n": 1}]') AS x(n loot.recorded)`,
  },
  {
    name: 'XMLTABLE',
    setup: (note) => domain('of_xml', note),
    statement: `SELECT n FROM XMLTABLE('/a' PASSING XMLPARSE(DOCUMENT '<a>1</a>') COLUMNS n loot.of_xml PATH '.')`,
  },
  {
    name: 'JSON_VALUE RETURNING',
    since: 17,
    setup: (note) => domain('of_json', note),
    statement: `SELECT JSON_VALUE('{"n": 1}', '$.n' RETURNING loot.of_json)`,
  },
  {
    name: 'JSON_TABLE',
    since: 17,
    setup: (note) => domain('of_json_table', note),
    statement: `SELECT n FROM JSON_TABLE('[1]', '$[*]' COLUMNS (n loot.of_json_table PATH '$'))`,
  },
];

/** Casts, which nobody writes. */
const castWays: readonly OwnedWay[] = [
  {
    name: 'cast of an enum to boolean in WHERE',
    setup: (note) => castEnum('yes_or_no', note, 'bool', 'true'),
    statement: `SELECT id FROM loot.source WHERE 'red'::loot.yes_or_no`,
  },
  {
    name: 'cast of an enum to json in json_agg',
    setup: (note) => castEnum('as_json', note, 'json', `'{}'::pg_catalog.json`, ''),
    statement: `SELECT pg_catalog.json_agg(c) FROM (SELECT 'red'::loot.as_json AS c) AS x`,
  },
  {
    name: 'cast of an enum to json in to_jsonb',
    setup: (note) => castEnum('as_jsonb', note, 'json', `'{}'::pg_catalog.json`, ''),
    statement: `SELECT pg_catalog.to_jsonb('red'::loot.as_jsonb)`,
  },
  {
    name: 'cast of an enum to json in a row',
    setup: (note) => castEnum('in_json_row', note, 'json', `'{}'::pg_catalog.json`, ''),
    statement: `SELECT pg_catalog.row_to_json(x) FROM (SELECT 'red'::loot.in_json_row AS c) AS x`,
  },
  {
    name: 'cast of the elements of an array',
    setup: (note) => castEnum('element', note, 'text', `'red'`, ''),
    statement: `SELECT ARRAY['red'::loot.element]::text[]`,
  },
  {
    name: 'cast of a whole row to an integer',
    setup: (note) => [
      `CREATE TABLE loot.castable AS SELECT 1 AS id`,
      `CREATE FUNCTION loot.row_number(loot.castable) RETURNS int ${note('1')}`,
      'CREATE CAST (loot.castable AS int) WITH FUNCTION loot.row_number(loot.castable) AS IMPLICIT',
    ],
    statement: 'SELECT pg_catalog.int4um(c) FROM loot.castable AS c',
  },
];

/** Ranges, whose estimates ask how far apart two values are. */
const rangeWays: readonly OwnedWay[] = [
  {
    name: 'subtype_diff of a range, in an estimate',
    setup: (note) => [
      `CREATE FUNCTION loot.apart(int, int) RETURNS float8 IMMUTABLE ${note('$1 - $2')}`,
      range('span', 'apart'),
      'CREATE TABLE loot.spans AS SELECT loot.span(n, n + 9) AS s FROM pg_catalog.generate_series(1, 500, 3) AS n',
      'ANALYZE loot.spans',
    ],
    statement: `SELECT s FROM loot.spans WHERE s OPERATOR(pg_catalog.&&) '[50,77]'::loot.span LIMIT 0`,
  },
  {
    name: 'subtype_diff of a multirange, in an estimate',
    since: 14,
    setup: (note) => [
      `CREATE FUNCTION loot.far_apart(int, int) RETURNS float8 IMMUTABLE ${note('$1 - $2')}`,
      range('stretch', 'far_apart'),
      'CREATE TABLE loot.stretches AS SELECT loot.stretch_multirange(loot.stretch(n, n + 9)) AS s FROM pg_catalog.generate_series(1, 500, 3) AS n',
      'ANALYZE loot.stretches',
    ],
    statement: `SELECT s FROM loot.stretches WHERE s OPERATOR(pg_catalog.&&) '[50,77]'::loot.stretch LIMIT 0`,
  },
];

export const typeWays: readonly OwnedWay[] = [...domainWays, ...castWays, ...rangeWays];
