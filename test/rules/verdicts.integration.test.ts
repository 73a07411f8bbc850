import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const sample = `import { Pool } from 'pg';
import { keep } from 'elsewhere';
const pool = new Pool();
export async function well() { const client = await pool.connect(); try { await client.query('x'); } finally { client.release(); } }
export async function leaks() { const client = await pool.connect(); await client.query('x'); client.release(); }
export class Holder { async open() { this.client = await pool.connect(); } }
export async function lends() { const client = await pool.connect(); await keep(client); }
export async function gives() { return pool.connect(); }
export async function other(socket) { await socket.connect(); }
`;

/** What a real run of ESLint with the built plugin writes about a file, so that the lines are those that a user sees. */
function verdictsOf(
  code: string,
  installed: Readonly<Record<string, string>> = {},
): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'poolguard-verdicts-'));
  try {
    writeFileSync(join(folder, 'sample.mjs'), code);
    for (const [name, version] of Object.entries(installed)) {
      mkdirSync(join(folder, 'node_modules', name), { recursive: true });
      writeFileSync(
        join(folder, 'node_modules', name, 'package.json'),
        JSON.stringify({ name, version }),
      );
    }
    const script = `import { Linter } from 'eslint'; import plugin from ${JSON.stringify(join(process.cwd(), 'rules/dist/index.js'))}; import { readFileSync } from 'node:fs';
new Linter({ cwd: ${JSON.stringify(folder)} }).verify(readFileSync(${JSON.stringify(join(folder, 'sample.mjs'))}, 'utf8'), [{ files: ['**/*.mjs'], ...plugin.configs.recommended }], { filename: ${JSON.stringify(join(folder, 'sample.mjs'))} });`;
    const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      env: { ...process.env, POOLGUARD_DEBUG: 'verdicts' },
    });
    return stderr
      .replaceAll(join(folder, '/'), '')
      .split('\n')
      .filter((line) => line.startsWith('poolguard:'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('POOLGUARD_DEBUG=verdicts lists each acquire with the verdict and the reason', () => {
  expect(verdictsOf(sample)).toEqual([
    'poolguard: sample.mjs:4:53 pool.connect(): released (on every path)',
    "poolguard: sample.mjs:5:54 pool.connect(): reported (notReleasedOnThrow: `await client.query('x')` may throw, and control leaves the function. The client is still checked out.)",
    'poolguard: sample.mjs:6:58 pool.connect(): handed on (stored, captured or passed on by `this.client = await pool.connect()` (line 6), whose holder must release it)',
    'poolguard: sample.mjs:7:54 pool.connect(): unknown (passed on by `keep(client)` (line 7), whose code cannot be read, and not released in this function)',
    'poolguard: sample.mjs:8:40 pool.connect(): handed on (returned to the caller, which must release it)',
    'poolguard: sample.mjs:9:45 socket.connect(): unknown (nothing in the readable code shows that this is a pool)',
  ]);
});

test('a verdict says when the installed library is newer than what is known of it', () => {
  const code = `import knex from 'knex';
const db = knex({ client: 'pg' });
export async function f() { const trx = await db.transaction(); try { await work(trx); } finally { await trx.rollback(); } }`;
  const released = 'poolguard: sample.mjs:3:47 db.transaction(): released (on every path';
  expect(verdictsOf(code)).toEqual([`${released})`]);
  expect(verdictsOf(code, { knex: '3.9.0' })).toEqual([`${released})`]);
  expect(verdictsOf(code, { knex: '4.0.1' })).toEqual([
    `${released}; knex 4.0.1 is not known and treated as 3)`,
  ]);
});
