import { execFileSync } from 'node:child_process';
import { chmod, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findConnections } from '../../../src/connections/find-connections.ts';
import type { Machine } from '../../../src/connections/libpq-files.ts';
import { describeTarget, type Environment } from '../../../src/database/target.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts';

function machine(home: string, environment: Environment = {}): Machine {
  return { environment, home, platform: 'linux' };
}

/** `user@host:port/database password, folder:file name + …` of each. */
async function find(
  folders: readonly TemporaryFolder[],
  home = '/nowhere',
  environment: Environment = {},
): Promise<readonly string[]> {
  const { connections } = await findConnections(
    folders.map(({ path }, index) => ({ name: `folder${index + 1}`, path })),
    machine(home, environment),
  );
  return connections.map(
    ({ target, secret, sources }) =>
      `${describeTarget(target)} ${secret?.reveal() ?? '-'}, ${sources.map(({ folder, file, name }) => `${folder ?? 'mine'}:${file} ${name}`).join(' + ')}`,
  );
}

const url = 'URL=postgres://app:pw@localhost/shop\n';

test('every kind of .env file and Compose files, two levels deep, and no further', async () => {
  await using folder = await createTemporaryFolder({
    '.env': url,
    '.env.local': 'A=postgres://a@localhost/local',
    '.env.example': 'A=postgres://a@localhost/example',
    '.envrc': 'export A=postgres://a@localhost/direnv',
    env: 'A=postgres://a@localhost/none',
    'apps/api/.env.development': 'A=postgres://a@localhost/dev',
    'apps/api/src/.env': 'A=postgres://a@localhost/deep',
    'node_modules/x/.env': 'A=postgres://a@localhost/package',
    '.git/.env': 'A=postgres://a@localhost/git',
    'docker-compose.yml':
      'services: { db: { image: postgres, ports: ["5433:5432"], env_file: config/db.env, environment: { POSTGRES_DB: "${NAME}" } } }',
    'docker-compose.override.yml': 'services: { db: { environment: { POSTGRES_USER: over } } }',
    'config/db.env': 'POSTGRES_PASSWORD=a#b',
    'apps/.env': 'NAME=other',
  });
  await folder.write({ '.env': `${url}NAME=composed` });
  expect(await find([folder])).toEqual([
    'app@localhost:5432/shop pw, folder1:.env URL',
    'a@localhost:5432/local -, folder1:.env.local A',
    'a@localhost:5432/direnv -, folder1:.envrc A',
    'over@localhost:5433/composed a#b, folder1:docker-compose.yml db',
    'a@localhost:5432/dev -, folder1:apps/api/.env.development A',
  ]);
});

test('one offer for one target, with all its sources; two where passwords differ', async () => {
  await using one = await createTemporaryFolder({
    '.env': url,
    '.env.local': 'B=postgres://app@localhost:5432/shop',
  });
  await using two = await createTemporaryFolder({
    '.env': url,
    '.env.test': 'C=postgres://app:other@localhost/shop',
  });
  expect(await find([one, two])).toEqual([
    'app@localhost:5432/shop pw, folder1:.env URL + folder1:.env.local B + folder2:.env URL',
    'app@localhost:5432/shop other, folder2:.env.test C',
  ]);
});

test('the same target with another TLS choice is an offer of its own', async () => {
  await using folder = await createTemporaryFolder({
    '.env': 'A=postgres://a:b@db.example.com/x\nB=postgres://a:b@db.example.com/x?sslmode=disable',
  });
  expect(await find([folder])).toHaveLength(2);
});

test('links that lead out of the folder, pipes and files that are too large are not read', async () => {
  await using outside = await createTemporaryFolder({ secrets: url, 'folder/.env': url });
  await using folder = await createTemporaryFolder({
    '.env.large': `${url}${'#'.repeat(1024 * 1024)}`,
    inside: 'A=postgres://a@localhost/inside',
    'docker-compose.yml':
      'services: { db: { image: postgres, ports: ["5432:5432"], env_file: ["../secrets", "/etc/hostname", "a/../../secrets"] } }',
  });
  await symlink(join(outside.path, 'secrets'), join(folder.path, '.env'));
  await symlink(join(folder.path, 'inside'), join(folder.path, '.env.inside'));
  await symlink(join(outside.path, 'folder'), join(folder.path, 'linked'));
  await symlink('.env.loop', join(folder.path, '.env.loop'));
  execFileSync('mkfifo', [join(folder.path, '.env.pipe')]);
  expect(await find([folder])).toEqual([
    'a@localhost:5432/inside -, folder1:.env.inside A',
    'postgres@localhost:5432/postgres -, folder1:docker-compose.yml db',
  ]);
});

test('certificate files are those beside the file that names them', async () => {
  await using folder = await createTemporaryFolder({
    'api/.env': 'A=postgres://a@db.example.com/x?sslrootcert=ca.pem',
  });
  const { connections } = await findConnections(
    [{ name: 'x', path: folder.path }],
    machine('/nowhere'),
  );
  expect(connections.map(({ target }) => target.tlsFiles.ca)).toEqual([
    join(folder.path, 'api/ca.pem'),
  ]);
});

test("the editor's environment, service files and the password file", async () => {
  await using home = await createTemporaryFolder({
    '.pgpass': 'localhost:5432:shop:app:pw\nlocalhost:*:*:*:any',
    '.pg_service.conf': '[shop]\nhost=localhost\nuser=svc\ndbname=shop',
  });
  await chmod(join(home.path, '.pgpass'), 0o600);
  expect(
    await find([], home.path, {
      PGSERVICE: 'shop',
      PGPORT: '6543',
      DATABASE_URL: 'postgres://app@localhost/shop',
    }),
  ).toEqual([
    'app@localhost:5432/shop pw, mine:environment of the editor DATABASE_URL + mine:~/.pgpass line 1',
    'svc@localhost:6543/shop any, mine:environment of the editor PGSERVICE',
    'svc@localhost:5432/shop any, mine:~/.pg_service.conf shop',
  ]);
  expect(await find([], '/nowhere', { PGUSER: 'ann', PGPASSWORD: 'pw' })).toEqual([
    'ann@localhost:5432/ann pw, mine:environment of the editor PG*',
  ]);
  expect(await find([], '/nowhere', { USER: 'ann' })).toEqual([]);
});

test('a password for every host is not given to a host that only a repository names', async () => {
  await using home = await createTemporaryFolder({ '.pgpass': '*:*:*:*:for-all' });
  await chmod(join(home.path, '.pgpass'), 0o600);
  await using folder = await createTemporaryFolder({
    '.env': 'A=postgres://a@evil.example/x\nB=postgres://a@10.0.0.1/x',
  });
  expect(
    await find([folder], home.path, { DATABASE_URL: 'postgres://me@db.example.com/x' }),
  ).toEqual([
    'a@evil.example:5432/x -, folder1:.env A',
    'a@10.0.0.1:5432/x -, folder1:.env B',
    'me@db.example.com:5432/x for-all, mine:environment of the editor DATABASE_URL',
  ]);
});

test('a password file that others may read is told of', async () => {
  await using home = await createTemporaryFolder({ '.pgpass': 'localhost:5432:shop:app:pw' });
  await chmod(join(home.path, '.pgpass'), 0o644);
  expect(await findConnections([], machine(home.path))).toEqual({
    connections: [],
    warnings: [expect.stringContaining('~/.pgpass was ignored')],
  });
});

test('a folder that is not there, or holds nothing', async () => {
  await using empty = await createTemporaryFolder();
  expect(
    (
      await findConnections(
        [
          { name: 'x', path: '/nowhere/at/all' },
          { name: 'y', path: empty.path },
        ],
        machine('/nowhere'),
      )
    ).connections,
  ).toEqual([]);
});

test('variables that grow without measure are told of, and those before them are found', async () => {
  const doubling = Array.from({ length: 3_000 }, (_, at) => `V${at}=$V${at + 1}$V${at + 1}`);
  await using folder = await createTemporaryFolder({
    '.env': ['URL=postgres://app@localhost/shop', ...doubling, 'V3000=0123456789'].join('\n'),
  });
  const { connections, warnings } = await findConnections(
    [{ name: 'shop', path: folder.path }],
    machine('/nowhere'),
  );

  expect(connections.map(({ target }) => target.database)).toEqual(['shop']);
  expect(warnings).toEqual([
    'The variables of .env name each other until their values exceed 1 MB. The rest was left as written.',
  ]);
});
