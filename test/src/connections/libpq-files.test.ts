import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPasswordFile, readServiceFiles } from '../../../src/connections/libpq-files.ts';
import { connectionsInPgpass, findPassword, parsePgpass } from '../../../src/connections/pgpass.ts';
import { connectionsInServices, parseServiceFile } from '../../../src/connections/service-file.ts';
import {
  describeTarget,
  parseTarget,
  type ConnectionTarget,
} from '../../../src/database/target.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';

function target(text: string): ConnectionTarget {
  const parsed = parseTarget(text);
  if (parsed.kind === 'problem') throw new Error(parsed.sentence);
  return parsed.target;
}

const app = 'postgres://app@localhost:5432/shop';

const passwords: readonly (readonly [
  what: string,
  text: string,
  address: string,
  password: string | null,
])[] = [
  ['its line', 'localhost:5432:shop:app:pw', app, 'pw'],
  [
    'the first line that matches',
    'localhost:5432:shop:bob:no\n*:*:*:app:first\nlocalhost:5432:shop:app:second',
    app,
    'first',
  ],
  ['stars for anything', '*:*:*:*:pw', app, 'pw'],
  ['a password with colons and slashes', 'localhost:5432:shop:app:a:b\\:c\\\\d', app, 'a:b:c\\d'],
  ['a password that is a star', 'localhost:5432:shop:app:*', app, '*'],
  ['names with colons', 'localhost:5432:my\\:db:app:pw', 'postgres://app@localhost/my%3Adb', 'pw'],
  ['an IPv6 address', '\\:\\:1:5432:shop:app:pw', 'postgres://app@[::1]/shop', 'pw'],
  ['a socket as localhost', 'localhost:5432:shop:app:pw', 'postgres://app@%2Ftmp/shop', 'pw'],
  ['lines that end as on Windows', 'localhost:5432:shop:app:pw\r\n', app, 'pw'],
  ['no line of another host', 'db:5432:shop:app:pw', app, null],
  ['no line of another port', 'localhost:5433:shop:app:pw', app, null],
  ['no line of another database', 'localhost:5432:Shop:app:pw', app, null],
  ['no line of another user', 'localhost:5432:shop:root:pw', app, null],
  [
    'no comment, no empty line, no line that lacks a field',
    '#localhost:5432:shop:app:pw\n\nlocalhost:5432:shop:app\nlocalhost:5432:shop:app:',
    app,
    null,
  ],
];

test.each(passwords)('the password file gives %s', (_, text, address, password) => {
  expect(findPassword(parsePgpass(text), target(address))?.reveal() ?? null).toBe(password);
});

test('for an address of a repository a line must name its host', () => {
  const lines = parsePgpass('*:*:*:*:for-all\ndb.example.com:*:*:*:named');
  expect(
    findPassword(lines, target('postgres://a@evil.example/x'), { namedHostsOnly: true }),
  ).toBeNull();
  expect(
    findPassword(lines, target('postgres://a@db.example.com/x'), {
      namedHostsOnly: true,
    })?.reveal(),
  ).toBe('named');
});

test('lines that name everything are connections', () => {
  const found = connectionsInPgpass(
    parsePgpass(
      '# mine\nlocalhost:5432:shop:app:pw\n*:5432:shop:app:pw\nlocalhost:5432:*:app:pw\nlocalhost:x:shop:app:pw',
    ),
  );
  expect(
    found.map((each) => [each.name, describeTarget(each.target), each.secret?.reveal()]),
  ).toEqual([['line 2', 'app@localhost:5432/shop', 'pw']]);
});

test('a service file: sections, comments, the first of two', () => {
  const services = parseServiceFile(
    'host=nowhere\n# mine\n[shop]\nhost=db.example.com\nport=6432\n dbname = shop \nuser=app\npassword=p=w\nsslmode=verify-full\nuser=second\n[empty]\n[shop]\nhost=other\n[broken]\nport=none\nuser=a\n[local]\nhostaddr=10.0.0.5\ndbname=x\n[ldap]\nldap://host/x',
  );
  const found = connectionsInServices(services, 'ann');
  expect(
    found.map((each) => [
      each.name,
      describeTarget(each.target),
      each.secret?.reveal() ?? null,
      each.target.tls,
    ]),
  ).toEqual([
    ['shop', 'app@db.example.com:6432/shop', 'p=w', 'verify'],
    ['local', 'ann@10.0.0.5:5432/x', null, 'verify'],
  ]);
});

test('names of prototypes are services and parameters like others', () => {
  expect(
    [...parseServiceFile('[__proto__]\n__proto__=x\nconstructor=y\nuser=a').values()].map(
      (each) => each['user'],
    ),
  ).toEqual(['a']);
});

test.each(['\n', '[', '[]\n', 'a=', '[a]\nb=c\n', ':', '\\', 'a:b:c:d:e\n', '*:*:*:*:x\n'])(
  'a megabyte of %j is read in time that grows with its length',
  (part) => {
    const text = part.repeat(Math.ceil((1024 * 1024) / part.length));
    // What grew with the square of the length would not end within the time limit of any test.
    connectionsInServices(parseServiceFile(text));
    findPassword(parsePgpass(text), target(app));
  },
);

test('the password file is read where libpq reads it, and only when it is private', async () => {
  await using home = await createTemporaryFolder({
    '.pgpass': 'localhost:5432:shop:app:pw',
    other: 'localhost:5432:shop:app:other',
  });
  const machine = { environment: {}, home: home.path, platform: 'linux' } as const;
  await chmod(join(home.path, '.pgpass'), 0o640);
  expect(await readPasswordFile(machine)).toEqual({
    file: '~/.pgpass',
    lines: [],
    warning:
      '~/.pgpass was ignored because its group or others have access to it. Run chmod 600 on it.',
  });
  await chmod(join(home.path, '.pgpass'), 0o600);
  expect((await readPasswordFile(machine)).lines.map(({ password }) => password.reveal())).toEqual([
    'pw',
  ]);
  await chmod(join(home.path, 'other'), 0o600);
  expect(
    (
      await readPasswordFile({ ...machine, environment: { PGPASSFILE: join(home.path, 'other') } })
    ).lines.map(({ password }) => password.reveal()),
  ).toEqual(['other']);
  expect(await readPasswordFile({ ...machine, home: '/nowhere' })).toMatchObject({
    lines: [],
    warning: null,
  });
});

test('service files: the user’s, then that of the machine', async () => {
  await using home = await createTemporaryFolder({
    '.pg_service.conf': '[a]\nuser=mine',
    'etc/pg_service.conf': '[a]\nuser=theirs\n[b]\nuser=theirs',
  });
  const files = await readServiceFiles({
    environment: { PGSYSCONFDIR: join(home.path, 'etc') },
    home: home.path,
    platform: 'linux',
  });
  expect(files.map(({ file, services }) => [file, [...services.keys()]])).toEqual([
    ['~/.pg_service.conf', ['a']],
    ['~/etc/pg_service.conf', ['a', 'b']],
  ]);
});
