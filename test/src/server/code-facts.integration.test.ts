import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CodeFacts } from '../../../src/linking/linked-code.ts';
import { shippedServer, startTestClient, type TestClient } from '../../support/language-client.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts';

const users = `import { pool } from './db';
import { BY_NAME } from './sql';

export async function rename(id: number, name: string) {
  const client = await pool.connect();
  await client.query('BEGIN');
  await client.query('UPDATE users SET name = $1 WHERE id = $2', [name, id]);
  await client.query(BY_NAME, [name]);
  await client.query('COMMIT');
  client.release();
}
`;
const files = {
  'package.json': '{ "dependencies": { "pg": "^8" } }',
  '.gitignore': 'ignored/\n',
  'src/db.ts':
    "import { Pool } from 'pg';\nexport const pool = new Pool({ application_name: 'api', max: 5 });\n",
  'src/sql.ts': "export const BY_NAME = 'SELECT id FROM users WHERE name = $1';\n",
  'src/users.ts': users,
  'src/reports.sql':
    '-- all of them\nSELECT count(*) FROM reports;\n\nSELECT name\nFROM reports;\n',
  'ignored/users.ts': users,
};

let folder: TemporaryFolder;
let client: TestClient;
beforeEach(async () => {
  folder = await createTemporaryFolder();
  await folder.write(files);
  client = await startTestClient(shippedServer, folder.path);
});
afterEach(async () => {
  await client[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

describe('what links sessions with the code', () => {
  it('is found in all files that git does not ignore', async () => {
    expect(await statements()).toEqual([
      'src/reports.sql:2 * SELECT count(*) FROM reports',
      'src/reports.sql:4 * SELECT name\nFROM reports',
      'src/sql.ts:1 * SELECT id FROM users WHERE name = $1',
      'src/users.ts:7 UPDATE users SET name = $1 WHERE id = $2 no-unreleased-client:5',
      'src/users.ts:8 SELECT id FROM users WHERE name = $1 no-unreleased-client:5',
    ]);
  });

  it('names the pools', async () => {
    expect((await ask()).pools).toEqual([
      {
        uri: uriOf('src/db.ts'),
        path: 'src/db.ts',
        isAside: false,
        line: 2,
        column: 20,
        applicationName: 'api',
        max: 5,
      },
    ]);
  });

  it('follows what is typed and what is written', async () => {
    await ask();
    await client.open(uriOf('src/users.ts'), users.replace('SET name', 'SET nick'));
    await writeFile(join(folder.path, 'src/reports.sql'), 'SELECT nothing FROM reports');
    const found = await statements();
    expect(found).toContain(
      'src/users.ts:7 UPDATE users SET nick = $1 WHERE id = $2 no-unreleased-client:5',
    );
    expect(found).toContain('src/reports.sql:1 * SELECT nothing FROM reports');
    expect(found).toHaveLength(4);
  });

  it('knows nothing of what the settings exclude, and no rule where none is shown', async () => {
    client.settings = { lint: { exclude: ['**/*.sql', 'src/sql.ts'], enable: false } };
    expect(await statements()).toEqual([
      'src/users.ts:7 UPDATE users SET name = $1 WHERE id = $2',
      'src/users.ts:8 SELECT id FROM users WHERE name = $1',
    ]);
  });

  it('is found in a thread beside what the editor asks', async () => {
    const facts = ask();
    await client.open(uriOf('src/users.ts'), users);
    expect((await client.diagnostics(uriOf('src/users.ts'))).length).toBeGreaterThan(0);
    expect((await facts).statements.length).toBeGreaterThan(0);
  });
});

function ask(): Promise<CodeFacts> {
  return client.connection.sendRequest('poolguard/codeFacts', null);
}

/** `path:line text rule:line`, with a star before what is only written. */
async function statements(): Promise<readonly string[]> {
  const found = (await ask()).statements.map(({ path, line, pieces, isSent, findings }) =>
    [
      `${path}:${line}`,
      ...(isSent ? [] : ['*']),
      pieces.join(' … '),
      ...findings.map((each) => `${each.rule}:${each.line}`),
    ].join(' '),
  );
  return found.sort();
}

function uriOf(path: string): string {
  return pathToFileURL(join(folder.path, path)).href;
}
