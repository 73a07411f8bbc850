import { Linter } from 'eslint';
import { describe, expect, test } from 'vitest';
import plugin from '../../../rules/index.ts';

/** What the first finding of a rule says about a pool that is made with `options`. */
function said(rule: string, options: string, body: string): string {
  const code = `import { Pool } from 'pg';\nconst pool = new Pool(${options});\n${body}`;
  const [message] = new Linter().verify(
    code,
    [{ plugins: { poolguard: plugin }, rules: { [`poolguard/${rule}`]: 'error' } }],
    { filename: 'sample.js' },
  );
  return message?.message ?? '';
}

const leak = 'async function f() {\n  const c = await pool.connect();\n  await c.query(x);\n}';
const slow =
  'async function f() {\n  const c = await pool.connect();\n  try { await fetch(url); } finally { c.release(); }\n}';
const nested =
  'async function f() {\n  const c = await pool.connect();\n  try { await pool.query(x); } finally { c.release(); }\n}';
const ended = 'async function f() {\n  const c = await pool.connect();\n  await c.end();\n}';

describe('messages know the limits of the pool that they speak of', () => {
  test.each([
    ['', '(`max` is 10 by default), then every caller waits.'],
    ['{ max: 5 }', '(`max` is 5), then every caller waits.'],
    ['{ poolSize: 4 }', '(`max` is 4), then every caller waits.'],
    [
      '{ max: 5, connectionTimeoutMillis: 100 }',
      '(`max` is 5), then every caller fails after 100 ms.',
    ],
    [
      '{ connectionTimeoutMillis: 5000 }',
      '(`max` is 10 by default), then every caller fails after 5 s.',
    ],
    [
      '{ max: Number(process.env.POOL_MAX ?? 20) }',
      '(`max` is 20 unless `POOL_MAX` says otherwise), then every caller waits.',
    ],
    ['{ max: size() }', '(`max` is 10 by default), then every caller waits.'],
  ])('of a leak in new Pool(%s)', (options, expected) => {
    expect(said('no-unreleased-client', options, leak)).toContain(expected);
  });

  test.each([
    ['', 'and a pool of 10 is empty after 10 such calls.'],
    ['{ max: 3 }', 'and a pool of 3 is empty after 3 such calls.'],
    ['{ max: 1 }', 'and its pool has no other.'],
  ])('of slow work in new Pool(%s)', (options, expected) => {
    expect(said('no-external-await-while-holding', options, slow)).toContain(expected);
  });

  test.each([
    ['', 'is held: when all 10 clients are held by such callers, none can go on.'],
    ['{ max: 1 }', 'is held: its pool has no other, so that no such call can go on.'],
    [
      '{ max: 2, connectionTimeoutMillis: 250 }',
      'is held: when all 2 clients are held by such callers, none can go on, and each fails after 250 ms.',
    ],
    ['options', 'is held: when all clients are held by such callers, none can go on.'],
  ])('of a second client in new Pool(%s)', (options, expected) => {
    expect(said('no-nested-checkout', options, nested)).toContain(expected);
  });

  test('of a client that is ended', () => {
    expect(said('no-end-pooled-client', '{ max: 5 }', ended)).toContain('(`max` is 5)');
  });
});
