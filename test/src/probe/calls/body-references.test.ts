import { describe, expect, test } from 'vitest';
import { readBody as readBodyOf } from '../../../../src/probe/calls/body-references.ts';

const readBody = (text: string) => readBodyOf(text, 'plpgsql');

test('what a body names', () => {
  expect(
    readBody(`
    DECLARE total app.money; -- hidden()
    BEGIN
      SELECT sum(amount) INTO total FROM orders AS o WHERE app."Odd fn" (o.id) > 0 AND o.is_open; /* hidden() */
      RETURN 'hidden()' || $$hidden()$$;
    END`),
  ).toMatchObject({
    kind: 'read',
    calls: [
      { schema: null, name: 'sum' },
      { schema: 'app', name: 'Odd fn' },
    ],
    names: expect.arrayContaining([
      { schema: null, name: 'orders' },
      { schema: 'app', name: 'money' },
      { schema: 'o', name: 'is_open' },
    ]) as unknown,
    attributes: ['money', 'Odd fn', 'id', 'is_open'],
  });
});

test.each([
  ['behind a range', 'BEGIN FOR i IN 1..evil(3) LOOP END LOOP; END'],
  ['behind a number without a blank', 'BEGIN IF 1=1or evil(3) THEN RETURN; END IF; END'],
  ['behind a comment', 'SELECT evil/* */ (3)'],
  ['in other letters', 'SELECT EVIL(3)'],
  ['with its schema', 'SELECT public . evil (3)'],
  ['in Unicode escapes', 'SELECT U&"\\0065vil"(1)'],
  ['behind a string that goes on', "SELECT E'a'\n'\\' || ', evil(1), E'\\''"],
])('a call %s', (_, text) => {
  const body = readBody(text);
  expect(body.kind === 'read' && body.calls.map(({ name }) => name)).toContain('evil');
});

test('letters beyond ASCII are looked up both as they stand and folded, as servers of different encodings do', () => {
  const body = readBody('SELECT Évil(1)');
  expect(body.kind === 'read' && body.calls.map(({ name }) => name)).toEqual(['Évil', 'évil']);
});

describe('statements of which more stays than a rollback undoes', () => {
  test.each([
    ['BEGIN EXECUTE text; END', /^runs EXECUTE, whose text cannot be judged$/],
    ['BEGIN RETURN QUERY EXECUTE text; END', /EXECUTE/],
    ['BEGIN IF 1=1then EXECUTE text; END IF; END', /EXECUTE/],
    ['BEGIN IF a THEN set x = 1; END IF; END', /SET, which changes settings/],
    ['BEGIN <<label>> RESET ALL; END', /RESET/],
    ['BEGIN PERFORM 1; LISTEN x; END', /LISTEN/],
    ['PREPARE p AS SELECT 1', /PREPARE/],
    [
      "DECLARE a int; BEGIN a := CASE WHEN b THEN declare IS NULL END; LOAD 'x'; BEGIN END; END",
      /LOAD/,
    ],
    ['BEGIN LOOP COMMIT; END LOOP; END', /COMMIT/],
    ['BEGIN CALL p(1); END', /CALL/],
    ['BEGIN DO $x$ BEGIN END $x$; END', /DO/],
    ["COPY (SELECT 1) TO PROGRAM 'x'", /COPY/],
    ['BEGIN CREATE TABLE t (); END', /CREATE/],
    ["LOAD 'x'", /LOAD/],
    ["SELECT E'a'\n'\\' || '; EXECUTE text; SELECT E'\\''", /EXECUTE/],
    ["SELECT 'never closed", /string that is never closed/],
    [`SELECT ${'x'.repeat(64)}(1)`, /names that the server cuts/],
    [' '.repeat(200_001), /too long/],
  ])('%j', (text, because) => {
    expect(readBody(text)).toMatchObject({
      kind: 'refused',
      because: expect.stringMatching(because) as unknown,
    });
  });
});

test.each([
  ['UPDATE t SET lock = 1, comment = 2'],
  ['INSERT INTO t VALUES (1) ON CONFLICT (id) DO UPDATE SET a = 1'],
  ['BEGIN MERGE INTO t USING u ON true WHEN MATCHED THEN DO NOTHING; END'],
  ['DECLARE release int; lock int := 1; BEGIN release := 1; lock = 2; END'],
  ['SELECT CASE WHEN a THEN comment ELSE security END'],
  ["SELECT 'EXECUTE this'"],
])('names and other parts of statements: %s', (text) => {
  expect(readBody(text)).toMatchObject({ kind: 'read' });
});

test('in SQL a DECLARE opens a cursor, and statements follow it', () => {
  expect(readBodyOf("DECLARE c CURSOR FOR SELECT 1; LOAD 'x'; BEGIN", 'sql')).toMatchObject({
    kind: 'refused',
  });
});
