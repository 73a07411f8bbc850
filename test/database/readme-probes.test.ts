import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { documents, unitsOf, wordsOf } from '../support/documents.ts';
import { createFreshDatabase, type FreshDatabase } from '../support/fresh-database.ts';

const run = promisify(execFile);
const cli = resolve('dist/cli.js');
/** What only writes, reads an earlier result or measures is run by other tests (test/docs/runners/claims.ts). */
const commands = [
  ...new Set(
    documents
      .flatMap(unitsOf)
      .filter(
        ({ language, text }) =>
          language === 'sh' &&
          text.startsWith('npx poolguard probe') &&
          !/ --(?:export|baseline|yes)\b/u.test(text),
      )
      .map(({ text }) => text),
  ),
];

let database: FreshDatabase;
let folder: string;

beforeAll(async () => {
  [database, folder] = await Promise.all([
    createFreshDatabase(),
    mkdtemp(join(tmpdir(), 'poolguard-readme-')),
  ]);
  await writeFile(join(folder, '.env'), `DATABASE_URL=${database.url}\n`);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(
    'CREATE TABLE users AS SELECT id, md5(id::text) AS name FROM generate_series(1, 1000) AS id',
  );
  await client.end();
});

afterAll(() => Promise.all([database.drop(), rm(folder, { recursive: true })]));

test('the documents show the probe and each of its experiments', () => {
  const names = commands.map((line) => /^npx poolguard probe ([a-z]+)/.exec(line)?.[1] ?? 'size');
  expect(new Set(names)).toEqual(
    new Set(['size', 'sweep', 'ramp', 'compare', 'connect', 'spike', 'advise']),
  );
});

test.each(commands)('%s', async (line) => {
  const args = wordsOf(line).slice(2);
  const isMeasured = !/ (?:spike|advise)/.test(line);
  const { stdout } = await run(
    process.execPath,
    [cli, ...args, ...(isMeasured ? ['--dry-run'] : [])],
    {
      cwd: folder,
      env: { ...process.env, DATABASE_URL: args.includes('--database-from') ? '' : database.url },
    },
  );
  expect(stdout).toMatch(isMeasured ? /Opens up to \d+/ : /\d/);
});
