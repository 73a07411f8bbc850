import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readTarget } from '../../src/cli/read-target.ts';
import { findConnections } from '../../src/connections/find-connections.ts';
import { mustBeMeant } from '../../src/connections/found-connection.ts';
import { defaultLimits } from '../../src/database/session-limits.ts';
import { connectSession } from '../../src/database/connect.ts';
import { toStartupOptions } from '../../src/database/startup.ts';
import { parseTarget } from '../../src/database/target.ts';
import { startLyingServer } from '../support/lying-server.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

/** What a repository's `.env` gets of the user's password file: in the editor, where the user may be asked before anything is connected, and by `--database-from`. */
async function offerOf(dotenv: string, pgpass: string) {
  await using home = await createTemporaryFolder({ '.pgpass': pgpass });
  await chmod(join(home.path, '.pgpass'), 0o600);
  await using folder = await createTemporaryFolder({ '.env': dotenv });
  const { connections } = await findConnections([{ name: 'shop', path: folder.path }], {
    environment: { USER: 'ann' },
    home: home.path,
    platform: 'linux',
  });
  const found = connections.find(({ sources }) => sources.some((source) => source.folder !== null));
  if (found === undefined) throw new Error('Nothing was found.');
  const byFile = await readTarget(
    undefined,
    { databaseFrom: '.env' },
    { cwd: folder.path, env: { USER: 'ann', HOME: home.path }, stderr: { write: () => undefined } },
  );
  const passwords = [found.secret, byFile.secret].map((secret) => secret?.reveal() ?? null);
  return { passwords, isAsked: mustBeMeant(found) };
}

const everyHost = '*:*:*:*:mine';
const named = 'db.example.com:*:*:*:mine';

describe('a repository names a server, and the password file has a password', () => {
  test.each([
    [
      'for every host, the server of a stranger',
      'U=postgres://app@evil.example/shop',
      everyHost,
      { passwords: [null, null], isAsked: true },
    ],
    [
      'for every host, PGHOST of a stranger',
      'PGHOST=evil.example\nPGUSER=app\nPGDATABASE=shop',
      everyHost,
      { passwords: [null, null], isAsked: true },
    ],
    [
      'for every host, an address of the network around',
      'U=postgres://app@192.168.1.66/shop',
      everyHost,
      { passwords: [null, null], isAsked: false },
    ],
    [
      'for every host, a name that a name server answers',
      'U=postgres://app@db.internal/shop',
      everyHost,
      { passwords: [null, null], isAsked: false },
    ],
    [
      'for every host, a socket in a folder of its choice',
      'U=postgres://app@%2Ftmp%2Fevil/shop',
      everyHost,
      { passwords: [null, null], isAsked: true },
    ],
    [
      'for localhost, a socket in a folder of its choice',
      'U=postgres://app@%2Ftmp%2Fevil/shop',
      'localhost:*:*:*:mine',
      { passwords: [null, null], isAsked: true },
    ],
    [
      'for localhost, the socket of the system',
      'U=postgres://app@%2Fvar%2Frun%2Fpostgresql/shop',
      'localhost:*:*:*:mine',
      { passwords: ['mine', 'mine'], isAsked: false },
    ],
    [
      'for every host, this machine',
      'U=postgres://app@127.0.0.1/shop',
      everyHost,
      { passwords: ['mine', 'mine'], isAsked: false },
    ],
    [
      'for that host',
      'U=postgres://app@db.example.com/shop',
      named,
      { passwords: ['mine', 'mine'], isAsked: true },
    ],
    [
      'for that host, without TLS',
      'U=postgres://app@db.example.com/shop?sslmode=disable',
      named,
      { passwords: [null, null], isAsked: true },
    ],
    [
      'for that host, by whatever certificate',
      'U=postgres://app@db.example.com/shop?sslmode=no-verify',
      named,
      { passwords: [null, null], isAsked: true },
    ],
    [
      'for that host, by an authority of its own',
      'U=postgres://app@db.example.com/shop?sslmode=verify-full&sslrootcert=ca.pem',
      named,
      { passwords: [null, null], isAsked: true },
    ],
    [
      'for that very connection, by an authority of its own',
      'U=postgres://app@db.example.com/shop?sslmode=verify-full&sslrootcert=ca.pem',
      'db.example.com:5432:shop:app:mine',
      { passwords: [null, null], isAsked: true },
    ],
    [
      'for that host, in the private network without TLS',
      'U=postgres://app@10.0.0.7/shop?sslmode=disable',
      '10.0.0.7:*:*:*:mine',
      { passwords: ['mine', 'mine'], isAsked: false },
    ],
  ])('%s', async (_what, dotenv, pgpass, expected) => {
    expect(await offerOf(dotenv, pgpass)).toEqual(expected);
  });
});

test('of a connection string only host, port, user, database, password and TLS count', async () => {
  const server = await startLyingServer({});
  const extras = new URLSearchParams({
    options: '-c session_preload_libraries=evil',
    replication: 'database',
    passfile: '/etc/passwd',
    service: 'prod',
    hostaddr: '203.0.113.9',
    application_name: 'evil',
    client_encoding: 'SQL_ASCII',
    statement_timeout: '0',
    search_path: 'evil',
    krbsrvname: 'evil',
    target_session_attrs: 'any',
  });
  const parsed = parseTarget(`postgres://app@127.0.0.1:${server.port}/shop?${extras.toString()}`);
  if (parsed.kind === 'problem') throw new Error(parsed.sentence);
  expect(Object.keys(parsed.target).sort()).toEqual([
    'database',
    'host',
    'port',
    'tls',
    'tlsChosenBy',
    'tlsFiles',
    'user',
  ]);
  await connectSession(parsed.target, parsed.secret);
  const startup = server
    .heard()
    .subarray(8, server.heard().readInt32BE(0))
    .toString('latin1')
    .replace(/\0+$/, '')
    .split('\0');
  await server.stop();
  const said = Object.fromEntries(
    startup.flatMap((name, at) => (at % 2 === 0 ? [[name, startup[at + 1]]] : [])),
  );
  expect(said).toEqual({
    user: 'app',
    database: 'shop',
    application_name: 'poolguard',
    client_encoding: 'UTF8',
    options: toStartupOptions('without-triggers', defaultLimits),
  });
});
