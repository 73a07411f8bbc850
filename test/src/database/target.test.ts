import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { redact, Secret } from '../../../src/database/secret.ts';
import {
  describeTarget,
  isLoopback,
  parseTarget,
  targetFromEnvironment,
  type ConnectionTarget,
} from '../../../src/database/target.ts';

function read(text: string, environment = {}) {
  const parsed = parseTarget(text, environment);
  if (parsed.kind === 'problem') throw new Error(parsed.sentence);
  return { ...parsed.target, password: parsed.secret?.reveal() ?? null };
}

const readable: readonly (readonly [
  text: string,
  expected: Partial<ConnectionTarget> & { password?: string | null },
])[] = [
  [
    'postgres://app:s3cret@db.example.com:6432/shop',
    { host: 'db.example.com', port: 6432, user: 'app', database: 'shop', password: 's3cret' },
  ],
  [
    'postgresql://app@localhost',
    { host: 'localhost', port: 5432, database: 'app', password: null, tls: 'off' },
  ],
  [
    'postgres://a%40b:p%2F%23%25@localhost/my%20db',
    { user: 'a@b', password: 'p/#%', database: 'my db' },
  ],
  ['postgres://app:p@ss@localhost/shop', { password: 'p@ss', host: 'localhost' }],
  ['postgres://app@[::1]:5433/shop', { host: '::1', port: 5433, tls: 'off' }],
  ['postgres://app@%2Fvar%2Frun%2Fpostgresql/shop', { host: '/var/run/postgresql', tls: 'off' }],
  ['postgres://app@/shop?host=/tmp&port=5433', { host: '/tmp', port: 5433, database: 'shop' }],
  ['postgres://localhost/shop?user=app&password=x', { user: 'app', password: 'x' }],
  [
    "host=db.internal port=5433 dbname=shop user=app password='it\\'s a secret' sslmode=disable",
    {
      host: 'db.internal',
      port: 5433,
      database: 'shop',
      user: 'app',
      password: "it's a secret",
      tls: 'off',
    },
  ],
  ['user=app', { host: 'localhost', port: 5432, database: 'app' }],
  ['  postgres://app@localhost/shop\n', { database: 'shop' }],
];

test.each(readable)('reads %s', (text, expected) => {
  expect(read(text)).toMatchObject(expected);
});

const tlsChoices: readonly (readonly [text: string, tls: string, chosenBy: string])[] = [
  ['postgres://app@db.example.com/shop', 'verify', 'default'],
  ['postgres://app@127.0.0.1/shop', 'off', 'default'],
  ['postgres://app@db.example.com/shop?sslmode=disable', 'off', 'connection string'],
  ['postgres://app@db.example.com/shop?sslmode=require', 'verify', 'connection string'],
  [
    'postgres://app@db.example.com/shop?sslmode=require&uselibpqcompat=true',
    'no-verify',
    'connection string',
  ],
  ['postgres://app@db.example.com/shop?sslmode=no-verify', 'no-verify', 'connection string'],
  ['postgres://app@db.example.com/shop?sslmode=prefer', 'verify', 'default'],
  ['postgres://app@localhost/shop?sslmode=prefer', 'off', 'default'],
  ['postgres://app@localhost/shop?sslmode=verify-full', 'verify', 'connection string'],
  ['postgres://app@localhost/shop?ssl=true', 'verify', 'connection string'],
  ['postgres://app@db.example.com/shop?ssl=false', 'off', 'connection string'],
  ['postgres://app@db.example.com/shop?ssl=no-verify', 'no-verify', 'connection string'],
];

test.each(tlsChoices)('protects %s: %s, by %s', (text, tls, tlsChosenBy) => {
  expect(read(text)).toMatchObject({ tls, tlsChosenBy });
});

const unreadable: readonly (readonly [text: string, sentence: RegExp])[] = [
  ['', /is empty/],
  ['mysql://app:Tr0ub4dor@localhost/shop', /starts with mysql:\/\/, .*postgres:\/\//],
  ['localhost', /neither a URL nor key=value/],
  ['postgres://app:Tr0ub4dor#1@localhost/shop', /not a valid URL.*percent-encoded/],
  ['postgres://app:Tr0ub4dor/1@localhost/shop', /not a valid URL.*percent-encoded/],
  ['postgres://app:Tr0ub4dor%zz@localhost/shop', /a % that is not followed/],
  ['postgres://app:Tr0ub4dor@localhost/shop#1', /has a # in it/],
  ['postgres://app:Tr0ub4dor@one,two/shop', /several hosts/],
  ['postgres://app:Tr0ub4dor@one:1,two:2/shop', /several hosts/],
  ['host=one,two user=app', /^Several hosts are named/],
  ['postgres://localhost/shop', /^No user is named/],
  ['postgres://app:Tr0ub4dor@localhost:0/shop', /must be a number from 1 to 65535/],
  ['postgres://app:Tr0ub4dor@localhost/shop?sslmode=perhaps', /sslmode.*disable/],
  ['postgres://app:Tr0ub4dor@localhost/shop?sslmode=constructor', /sslmode/],
  ["host=localhost password='Tr0ub4dor", /invalid key=value pair/],
];

test.each(unreadable)('explains %s', (text, expected) => {
  const parsed = parseTarget(text);
  if (parsed.kind === 'target') throw new Error('It was readable.');
  expect(parsed.sentence).toMatch(expected);
  expect(parsed.sentence).toMatch(/\.$/);
  expect(parsed.sentence).not.toContain('Tr0ub4dor');
});

describe('the environment', () => {
  test('fills what the text leaves open', () => {
    expect(
      read('postgres://db.example.com/shop', {
        PGUSER: 'app',
        PGPASSWORD: 'x',
        PGSSLMODE: 'no-verify',
        PGDATABASE: 'other',
      }),
    ).toMatchObject({ user: 'app', password: 'x', tls: 'no-verify', database: 'shop' });
  });

  test('names a target by DATABASE_URL before PG*', () => {
    expect(
      targetFromEnvironment({ DATABASE_URL: 'postgres://app@localhost/shop', PGHOST: 'elsewhere' }),
    ).toMatchObject({ kind: 'target', target: { host: 'localhost' } });
    expect(targetFromEnvironment({ PGHOST: 'elsewhere', PGUSER: 'app' })).toMatchObject({
      kind: 'target',
      target: { host: 'elsewhere', tls: 'verify' },
    });
  });

  test('names none when nothing is set', () => {
    expect(targetFromEnvironment({ USER: 'me', PGPASSWORD: 'x' })).toBeNull();
  });
});

test.each([
  ['localhost', true],
  ['api.localhost', true],
  ['127.8.9.10', true],
  ['::1', true],
  ['0:0:0:0:0:0:0:1', true],
  ['/var/run/postgresql', true],
  ['localhost.example.com', false],
  ['127.example.com', false],
  ['10.0.0.1', false],
  ['::2', false],
])('this machine? %s: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});

describe('the secret', () => {
  test('cannot be printed by accident', () => {
    const secret = new Secret('Tr0ub4dor');
    const spellings = [
      String(secret),
      JSON.stringify({ secret }),
      inspect({ secret }, { showHidden: true, depth: 5 }),
      Object.keys(secret).join(),
      `${secret.toString()}`,
    ];
    expect(spellings.join(' ')).not.toContain('Tr0ub4dor');
    expect(secret.reveal()).toBe('Tr0ub4dor');
  });

  test('is no part of the target', () => {
    const parsed = parseTarget('postgres://app:Tr0ub4dor@localhost/shop');
    if (parsed.kind === 'problem') throw new Error(parsed.sentence);
    expect(JSON.stringify(parsed)).not.toContain('Tr0ub4dor');
    expect(describeTarget(parsed.target)).toBe('app@localhost:5432/shop');
  });

  test.each([
    ['no route to postgres://app:other@host/db', 'no route to postgres://app:[hidden]@host/db'],
    ["DSN host=h password='a b' user=x", 'DSN host=h password=[hidden] user=x'],
    ['refused p%2Fq and p/q', 'refused [hidden] and [hidden]'],
  ])('is cut out of %s', (text, expected) => {
    expect(redact(text, new Secret('p/q'))).toBe(expected);
  });
});

test('a password that was pasted in front of an address is not repeated', () => {
  expect(parseTarget('hunter2postgres://localhost/shop')).toMatchObject({
    kind: 'problem',
    sentence: expect.stringMatching(/^(?!.*hunter2).*another scheme/u) as string,
  });
});
