import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runInProcess } from '../support/cli-run.ts';
import { createOwnedDatabase, type OwnedDatabase } from '../support/owned-database.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';

let database: OwnedDatabase;
let home: TemporaryFolder;
let user: string;

beforeAll(async () => {
  database = await createOwnedDatabase();
  const { hostname, port, username, password } = new URL(database.url);
  user = username;
  home = await createTemporaryFolder({
    '.pgpass': `*:${port}:*:${username}:${password}`,
    '.pg_service.conf': `[shop]\nhost=${hostname}\nport=${port}\nuser=${username}\ndbname=${username}\n[broken]\nuser=x\nport=none`,
  });
  await chmod(join(home.path, '.pgpass'), 0o600);
});

afterAll(async () => {
  await home[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

test('--service and PGSERVICE name a database; its password comes from the password file', async () => {
  const [named, implied] = [
    await runInProcess(['activity', '--service', 'shop'], { env: { HOME: home.path } }),
    await runInProcess(['activity'], {
      env: { HOME: home.path, PGSERVICE: 'shop', PGUSER: 'somebody-else' },
    }),
  ];
  expect([named.stderr, named.code]).toEqual(['', 0]);
  expect(named.stdout).toContain(`${user}@`);
  expect([implied.stderr, implied.code]).toEqual(['', 0]);
});

test('a password file that others may read is told of and not used', async () => {
  await chmod(join(home.path, '.pgpass'), 0o644);
  const { stderr, code } = await runInProcess(['activity', '--service', 'shop'], {
    env: { HOME: home.path },
  });
  await chmod(join(home.path, '.pgpass'), 0o600);
  expect(stderr).toMatch(
    /^~\/\.pgpass was ignored because its group or others have access to it.*\nThe server at .* requires a password for .*, but none is set/,
  );
  expect(code).toBe(2);
});

test.each([
  [['--service', 'nowhere'], 'There is no service "nowhere" in ~/.pg_service.conf.\n'],
  [['--service', 'broken'], 'The port in the service "broken" must be a number from 1 to 65535.\n'],
  [
    ['postgres://a@localhost/x', '--service', 'shop'],
    'Name the database once: by a connection string, by --service or by --database-from.\n',
  ],
])('%j says what is wrong', async (args, sentence) => {
  const { stderr, code } = await runInProcess(['activity', ...args], { env: { HOME: home.path } });
  expect([stderr, code]).toEqual([sentence, 2]);
});
