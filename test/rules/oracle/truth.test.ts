import { Linter } from 'eslint';
import { describe, expect, test } from 'vitest';
import type { PrintedProgram } from './print-program.ts';
import { runProgram } from './run-program.ts';
import { compare, describeDisagreement, reportsOn } from './verdict.ts';

function written(text: string, call = 'subject()', sites = 1): PrintedProgram {
  const none: ReadonlySet<number> = new Set();
  return {
    text,
    call,
    sites,
    released: none,
    lent: none,
    captured: none,
    detached: none,
    doubtful: none,
    nested: none,
    carried: none,
    trusted: none,
    ended: none,
    endedBehindTest: none,
    variableOf: (site) => site,
  };
}

const straight = written(
  "async function subject() {\n  const client1 = await pool1.connect();\n  await client1.query('x');\n  client1.release();\n}",
);
const guarded = written(
  "async function subject() {\n  const client1 = await pool1.connect();\n  try { await client1.query('x'); } finally { client1.release(); }\n}",
);

describe('knows what becomes of the clients of', () => {
  test.each([
    ['straight-line code', straight, ['1 threw']],
    ['a finally', guarded, []],
    [
      'an early return',
      written(
        'async function subject(p) { const c = await pool1.connect(); if (p) return; c.release(); }',
        'subject(p)',
      ),
      ['1 returned'],
    ],
    [
      'a correlated guard',
      written(
        'async function subject(p) { const c = p ? await pool1.connect() : null; if (p) c.release(); }',
        'subject(p)',
      ),
      [],
    ],
    [
      'a loop that stops early',
      written(
        'async function subject(options) { for (const item of options.items) { const c = await pool1.connect(); if (check()) break; c.release(); } }',
        'subject(options)',
      ),
      ['1 returned'],
    ],
    [
      'a callback without done',
      written(
        "function subject(callback) { pool1.connect((error, c, done) => { if (error) return callback(error); c.query('x', (failure) => { if (failure) return; done(); }); }); }",
        'subject(callback)',
      ),
      ['1 returned'],
    ],
    [
      'a chain that releases when all goes well',
      written(
        "function subject() { return pool1.connect().then((c) => c.query('x').then(() => c.release())); }",
      ),
      ['1 threw'],
    ],
    [
      'a client that is returned',
      written('async function subject() { return { client: await pool1.connect() }; }'),
      [],
    ],
    [
      'a client that is kept',
      written('async function subject() { shared = await pool1.connect(); }'),
      [],
    ],
    [
      'a promise that nobody waits for',
      written('async function subject() { pool1.connect(); }'),
      ['1 returned'],
    ],
    [
      'two pools',
      written(
        'async function subject() { const a = await pool1.connect(); const b = await pool2.connect(); b.release(); a.release(); }',
        'subject()',
        2,
      ),
      ['1 threw'],
    ],
  ])('%s', async (_name, program, leaks) => {
    const truth = await runProgram(program);
    expect(truth.mistakes.map(({ site, how }) => `${site} ${how}`)).toEqual(leaks);
    expect(truth.isComplete).toBe(true);
  });

  test.each([
    [
      'released twice',
      'async function subject() { const c = await pool1.connect(); c.release(); c.release(); }',
    ],
    [
      'used after release',
      "async function subject() { const c = await pool1.connect(); c.release(); await c.query('x'); }",
    ],
  ])('a client that is %s', async (kind, text) => {
    const { mistakes } = await runProgram(written(text));
    expect(new Set(mistakes.map((each) => `${each.kind} ${each.site}`))).toEqual(
      new Set([`${kind} 1`]),
    );
  });
});

describe('notices an analysis that', () => {
  test('misses a leak', async () => {
    const [disagreement, ...others] = compare(straight, await runProgram(straight), []);
    expect(others).toEqual([]);
    expect(disagreement && describeDisagreement(disagreement)).toBe(
      "// missed on pool1: leaked in a run that threw (pool1.connect() = 0, query('x') = 1)",
    );
  });

  test('sees a leak where there is none', async () => {
    const [disagreement, ...others] = compare(guarded, await runProgram(guarded), [
      { rule: 'no-unreleased-client', site: 1, messageId: 'neverReleased' },
    ]);
    expect(others).toEqual([]);
    expect(disagreement && describeDisagreement(disagreement)).toBe(
      '// false alarm on pool1: no-unreleased-client neverReleased, but no run does that',
    );
  });
});

test('reads the reports of the analysis', () => {
  const linter = new Linter();
  expect(reportsOn(straight, linter)).toEqual([
    { rule: 'no-unreleased-client', site: 1, messageId: 'notReleasedOnThrow' },
  ]);
  expect(reportsOn(guarded, linter)).toEqual([]);
});

test('says nothing of combinations that it has not tried', async () => {
  const program = written(
    'async function subject() { const c = await pool1.connect(); check(); check(); check(); c.release(); }',
  );
  const truth = await runProgram(program, 3);
  expect(truth.isComplete).toBe(false);
  expect(
    compare(program, truth, [
      { rule: 'no-unreleased-client', site: 1, messageId: 'neverReleased' },
    ]),
  ).toEqual([]);
});
