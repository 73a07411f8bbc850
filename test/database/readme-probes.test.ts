import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeBlocksOf } from '../support/code-blocks.ts';
import { createFreshDatabase, type FreshDatabase } from '../support/fresh-database.ts';

const run = promisify(execFile);
const cli = resolve('dist/cli.js');
const commands = codeBlocksOf(readFileSync('README.md', 'utf8'))
  .filter(({ language }) => language === 'sh')
  .flatMap(({ text }) => text.split('\n'))
  .filter((line) => line.startsWith('npx poolguard probe'));

let database: FreshDatabase;
let folder: string;

beforeAll(async () => {
  [database, folder] = await Promise.all([createFreshDatabase(), mkdtemp(join(tmpdir(), 'poolguard-readme-'))]);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('CREATE TABLE users AS SELECT id, md5(id::text) AS name FROM generate_series(1, 1000) AS id');
  await client.end();
});

afterAll(() => Promise.all([database.drop(), rm(folder, { recursive: true })]));

/** As the shell of the reader splits it. */
function splitArguments(line: string): readonly string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '').slice(2);
}

test('the README shows the probe and each of its experiments', () => {
  const names = commands.map((line) => /^npx poolguard probe ([a-z]+)/.exec(line)?.[1] ?? 'size');
  expect([...new Set(names)]).toEqual(['size', 'sweep', 'ramp', 'compare', 'connect', 'spike', 'advise']);
});

test.each(commands)('%s', async (line) => {
  const args = splitArguments(line);
  const isMeasured = !/ (?:spike|advise)/.test(line);
  const { stdout } = await run(process.execPath, [cli, ...args, ...(isMeasured ? ['--dry-run'] : [])], { cwd: folder, env: { ...process.env, DATABASE_URL: database.url } });
  expect(stdout).toMatch(isMeasured ? /Opens up to \d+/ : /\d/);
});
