import type { OwnedWay } from './owned-way.ts';

/** Calls that the text of a statement, or of a body, does not show. */
export const functionWays: readonly OwnedWay[] = [
  {
    name: 'function written as a column',
    setup: (note) => [
      'CREATE TABLE loot.orders AS SELECT 1 AS id',
      `CREATE FUNCTION public.total(loot.orders) RETURNS int ${note('1')}`,
    ],
    statement: 'SELECT o.total FROM loot.orders AS o',
  },
  {
    name: 'twin for varchar, though pg_catalog comes first',
    setup: (note) => [`CREATE FUNCTION public.lower(varchar) RETURNS text ${note('$1')}`],
    statement: 'SELECT lower(word) FROM loot.source',
  },
  {
    name: 'twin of a polymorphic function',
    setup: (note) => [`CREATE FUNCTION public.cardinality(int[]) RETURNS int ${note('1')}`],
    statement: 'SELECT cardinality(ARRAY[id]) FROM loot.source',
  },
  {
    name: 'VARIADIC twin',
    setup: (note) => [
      `CREATE FUNCTION public.format(varchar, VARIADIC int[]) RETURNS text ${note('$1')}`,
    ],
    statement: 'SELECT format(word, id, id) FROM loot.source',
  },
  {
    name: 'aggregate that is a twin',
    setup: (note) => [
      `CREATE FUNCTION loot.counts(int8, varchar) RETURNS int8 ${note('$1 + 1')}`,
      'CREATE AGGREGATE public.count(varchar) (SFUNC = loot.counts, STYPE = int8, INITCOND = 0)',
    ],
    statement: 'SELECT count(word) FROM loot.source',
  },
  {
    name: 'default of a polymorphic argument',
    setup: (note) => [
      `CREATE FUNCTION loot.of_argument() RETURNS int ${note('1')}`,
      `CREATE FUNCTION loot.echo(anyelement, n int DEFAULT loot.of_argument()) RETURNS anyelement LANGUAGE sql AS 'SELECT CASE WHEN $2 > 0 THEN $1 END'`,
    ],
    statement: 'SELECT loot.echo(id) FROM loot.source',
  },
  {
    name: 'final function of an aggregate',
    setup: (note) => [
      `CREATE FUNCTION loot.finish(int8) RETURNS int8 ${note('$1')}`,
      'CREATE AGGREGATE loot.finished(int4) (SFUNC = pg_catalog.int4_sum, STYPE = int8, FINALFUNC = loot.finish)',
    ],
    statement: 'SELECT loot.finished(id) FROM loot.source',
  },
  {
    name: 'moving transition of an aggregate',
    setup: (note) => [
      `CREATE FUNCTION loot.leave_frame(int8, int4) RETURNS int8 ${note('$1 - $2')}`,
      `CREATE FUNCTION loot.enter_frame(int8, int4) RETURNS int8 LANGUAGE sql AS 'SELECT $1 + $2'`,
      'CREATE AGGREGATE loot.moving(int4) (SFUNC = loot.enter_frame, STYPE = int8, INITCOND = 0, MSFUNC = loot.enter_frame, MINVFUNC = loot.leave_frame, MSTYPE = int8, MINITCOND = 0)',
    ],
    statement:
      'SELECT loot.moving(id) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM loot.source',
  },
  {
    name: 'first value of an aggregate, which a domain checks',
    setup: (note) => [
      `CREATE FUNCTION loot.checks_first(int) RETURNS bool ${note('true')}`,
      'CREATE DOMAIN loot.first_value AS int CHECK (loot.checks_first(VALUE))',
      `CREATE FUNCTION loot.keep_first(loot.first_value, int) RETURNS loot.first_value LANGUAGE sql AS 'SELECT $1'`,
      `CREATE AGGREGATE loot.begun(int) (SFUNC = loot.keep_first, STYPE = loot.first_value, INITCOND = '0')`,
    ],
    statement: 'SELECT loot.begun(id) FROM loot.source WHERE false',
  },
  {
    name: 'ordered-set aggregate',
    setup: (note) => [
      `CREATE FUNCTION loot.set_step(int, int) RETURNS int ${note('$2')}`,
      'CREATE AGGREGATE loot.ranked(ORDER BY int) (SFUNC = loot.set_step, STYPE = int)',
    ],
    statement: 'SELECT loot.ranked() WITHIN GROUP (ORDER BY id) FROM loot.source',
  },
  {
    name: 'window function',
    setup: (note) => [`CREATE FUNCTION loot.windowed() RETURNS int WINDOW ${note('1')}`],
    statement: 'SELECT loot.windowed() OVER () FROM loot.source',
  },
  {
    name: 'body that continues an escape string on the next line',
    setup: (note) => [
      `CREATE FUNCTION loot.continued() RETURNS text ${note("'x'")}`,
      `CREATE FUNCTION loot.hides() RETURNS text LANGUAGE sql AS $f$ SELECT E'a'\n'\\' || ' || loot.continued() || E'\\'' $f$`,
    ],
    statement: 'SELECT loot.hides()',
  },
  {
    name: 'body in standard SQL',
    since: 14,
    setup: (note) => [
      `CREATE FUNCTION loot.of_atomic() RETURNS int ${note('1')}`,
      'CREATE FUNCTION loot.atomic() RETURNS int LANGUAGE sql BEGIN ATOMIC SELECT loot.of_atomic(); END',
    ],
    statement: 'SELECT loot.atomic()',
  },
  {
    name: 'EXECUTE of a text from a table',
    setup: (note) => [
      `CREATE FUNCTION loot.executed() RETURNS int ${note('1')}`,
      `CREATE TABLE loot.texts AS SELECT 'SELECT loot.executed()'::text AS body`,
      'CREATE FUNCTION loot.executes() RETURNS int LANGUAGE plpgsql AS $f$ DECLARE n int; BEGIN EXECUTE (SELECT body FROM loot.texts) INTO n; RETURN n; END $f$',
    ],
    statement: 'SELECT loot.executes()',
  },
  {
    name: 'procedure that a function calls',
    setup: (note) => [
      `CREATE FUNCTION loot.of_procedure() RETURNS int ${note('1')}`,
      'CREATE PROCEDURE loot.proceed() LANGUAGE plpgsql AS $f$ BEGIN PERFORM loot.of_procedure(); END $f$',
      'CREATE FUNCTION loot.proceeds() RETURNS int LANGUAGE plpgsql AS $f$ BEGIN CALL loot.proceed(); RETURN 1; END $f$',
    ],
    statement: 'SELECT loot.proceeds()',
  },
  {
    name: 'default of a variable in a body',
    setup: (note) => [
      `CREATE FUNCTION loot.of_variable() RETURNS int ${note('1')}`,
      'CREATE FUNCTION loot.declares() RETURNS int LANGUAGE plpgsql AS $f$ DECLARE n int := loot.of_variable(); BEGIN RETURN 1; END $f$',
    ],
    statement: 'SELECT loot.declares()',
  },
  {
    name: 'set-returning function in LATERAL',
    setup: (note) => [
      `CREATE FUNCTION loot.rows_of(int) RETURNS SETOF int ROWS 1 ${note('NEXT $1')}`,
    ],
    statement: 'SELECT n FROM loot.source AS s, LATERAL loot.rows_of(s.id) AS n',
  },
  {
    name: 'set-returning function that is inlined',
    setup: (note) => [
      `CREATE FUNCTION loot.of_inlined(int) RETURNS int ${note('$1')}`,
      `CREATE FUNCTION loot.inlined_rows() RETURNS SETOF int STABLE LANGUAGE sql AS 'SELECT loot.of_inlined(id) FROM loot.source'`,
    ],
    statement: 'SELECT n FROM ROWS FROM (loot.inlined_rows()) WITH ORDINALITY AS x(n, at)',
  },
  {
    name: 'function with the rights of its owner',
    setup: (note) => [`CREATE FUNCTION loot.defined() RETURNS int SECURITY DEFINER ${note('1')}`],
    statement: 'SELECT loot.defined()',
  },
];
