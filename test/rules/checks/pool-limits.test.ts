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

const leaked = 'Connection leak: `c` is never released';
const secondOne = 'Takes a second connection from `pool` while holding one (line 4): ';

describe('messages name the size of the pool as the code declares it', () => {
  test.each([
    ['', `${leaked}. `],
    ['{ max: 5 }', `${leaked} (\`max: 5\`). `],
    ['{ poolSize: 4 }', `${leaked} (\`max: 4\`). `],
    ['{ max: 5, connectionTimeoutMillis: 100 }', `${leaked} (\`max: 5\`). `],
    ['{ max: Number(process.env.POOL_MAX ?? 20) }', `${leaked} (\`max: POOL_MAX ?? 20\`). `],
    ['{ max: size() }', `${leaked}. `],
  ])('of a leak in new Pool(%s)', (options, expected) => {
    expect(said('no-unreleased-client', options, leak)).toContain(expected);
  });

  test.each([
    ['', 'during an HTTP request: under load this exhausts the pool. '],
    ['{ max: 3 }', 'during an HTTP request: under load this exhausts the pool (`max: 3`). '],
  ])('of slow work in new Pool(%s)', (options, expected) => {
    expect(said('no-external-await-while-holding', options, slow)).toContain(expected);
  });

  test.each([
    ['', `${secondOne}under load this deadlocks the pool. `],
    ['{ max: 1 }', `${secondOne}this deadlocks the pool (\`max: 1\`). `],
    ['{ max: 2 }', `${secondOne}under load this deadlocks the pool (\`max: 2\`). `],
    ['options', `${secondOne}under load this deadlocks the pool. `],
  ])('of a second client in new Pool(%s)', (options, expected) => {
    expect(said('no-nested-checkout', options, nested)).toContain(expected);
  });

  test('of a client that is ended', () => {
    expect(said('no-end-pooled-client', '{ max: 5 }', ended)).toContain(
      'does not free its slot in `pool` (`max: 5`). ',
    );
  });
});
