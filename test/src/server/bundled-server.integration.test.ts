import { cp } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TemporaryFolder } from '../../support/temporary-folder.ts';
import { startTestClient } from '../../support/language-client.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';

const root = resolve(import.meta.dirname, '../../..');

/** What the extension ships, far from any node_modules, and without the parser that it prefers. */
let folder: TemporaryFolder;
let server: string;
beforeAll(async () => {
  folder = await createTemporaryFolder();
  server = join(folder.path, 'server.cjs');
  for (const name of ['server.cjs', 'engine.cjs', 'typescript.cjs'])
    await cp(join(root, 'dist', name), join(folder.path, name));
});
afterAll(() => folder[Symbol.asyncDispose]());

it('the shipped files alone find a leak whose pool comes from another file, and see it repaired', async () => {
  await folder.write({ 'db.ts': "import pg from 'pg';\nexport const pool = new pg.Pool();\n" });
  await using client = await startTestClient(server, folder.path);
  const uri = pathToFileURL(join(folder.path, 'users.ts')).href;
  const leaky =
    "import { pool } from './db';\nexport async function load(id: string) {\n  const client = await pool.connect();\n  const { rows } = await client.query('select $1', [id]);\n  client.release();\n  return rows;\n}\n";
  await client.open(uri, leaky);
  const found = await client.diagnostics(uri);
  expect(found.map(({ code, range }) => [code, range.start.line])).toEqual([
    ['poolguard/no-unreleased-client', 2],
  ]);
  expect(found[0]?.relatedInformation?.length).toBeGreaterThan(0);
  await client.change(
    uri,
    2,
    leaky.replace(
      "const { rows } = await client.query('select $1', [id]);\n  client.release();\n  return rows;",
      "try {\n    return (await client.query('select $1', [id])).rows;\n  } finally {\n    client.release();\n  }",
    ),
  );
  expect(await client.diagnostics(uri)).toEqual([]);
});

it('an edit that is not saved changes what is found in a file that imports it', async () => {
  await folder.write({
    'lend.ts':
      "import pg from 'pg';\nconst pool = new pg.Pool();\npool.on('error', console.error);\nexport const lend = () => fetch('/');\n",
  });
  await using client = await startTestClient(server, folder.path);
  const [source, user] = ['lend.ts', 'user.ts'].map(
    (name) => pathToFileURL(join(folder.path, name)).href,
  ) as [string, string];
  await client.open(
    user,
    "import { lend } from './lend';\nexport async function load() {\n  const client = await lend();\n  await client.query('select 1');\n}\n",
  );
  expect(await client.diagnostics(user)).toEqual([]);
  const leaking =
    "import pg from 'pg';\nconst pool = new pg.Pool();\npool.on('error', console.error);\nexport const lend = () => pool.connect();\n";
  await client.open(source, leaking);
  expect((await client.diagnostics(user)).map(({ code }) => code)).toEqual([
    'poolguard/no-unreleased-client',
  ]);
  await client.change(source, 2, leaking.replace('pool.connect()', "fetch('/')"));
  expect(await client.diagnostics(user)).toEqual([]);
});

it('a comment about one of ESLint’s own rules does no harm', async () => {
  await using client = await startTestClient(server, folder.path);
  const uri = pathToFileURL(join(folder.path, 'other.js')).href;
  await client.open(
    uri,
    '/* eslint no-console: "error" */\n// eslint-disable-next-line no-alert\nimport "pg";\n',
    'javascript',
  );
  expect(await client.diagnostics(uri)).toEqual([]);
});
