import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addProbeCommand } from '../../src/cli/probe/probe.ts';
import { runInProcess } from '../support/cli-run.ts';
import { documents, unitsOf, wordsOf } from '../support/documents.ts';
import { createFreshDatabase, type FreshDatabase } from '../support/fresh-database.ts';
import { runOn } from '../support/run-on.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';

const processPath = resolve('dist/probe.cjs');
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

/** Has the route that the documents probe. */
const app = `import pg from 'pg';
const pool = new pg.Pool();
app.get('/users/:id', async (request, response) => {
  response.json((await pool.query('SELECT * FROM users WHERE id = $1', [request.params.id])).rows);
});`;

let database: FreshDatabase;
let folder: TemporaryFolder;

beforeAll(async () => {
  database = await createFreshDatabase();
  folder = await createTemporaryFolder({
    '.env': `DATABASE_URL=${database.ownerUrl}\n`,
    'src/app.js': app,
  });
  await runOn(
    database.url,
    'CREATE TABLE users AS SELECT id, md5(id::text) AS name FROM generate_series(1, 1000) AS id; ANALYZE users',
  );
});

afterAll(() => Promise.all([database.drop(), folder[Symbol.asyncDispose]()]));

test('the documents show the probe and each of its experiments', () => {
  const names = commands.map((line) => /^npx poolguard probe ([a-z]+)/.exec(line)?.[1] ?? 'size');
  expect(new Set(names)).toEqual(
    new Set(['size', 'sweep', 'ramp', 'compare', 'connect', 'spike', 'advise']),
  );
});

test.each(commands)('%s', async (line) => {
  const args = wordsOf(line).slice(2);
  const isMeasured = !/ (?:spike|advise)/.test(line);
  const { code, stdout, stderr } = await runInProcess(
    [...args, ...(isMeasured ? ['--dry-run'] : [])],
    {
      cwd: folder.path,
      env: args.includes('--database-from') ? {} : { DATABASE_URL: database.ownerUrl },
      commands: [(program, io) => addProbeCommand(program, io, processPath)],
    },
  );
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stdout).toMatch(isMeasured ? /Opens up to \d+/ : /\d/);
});
