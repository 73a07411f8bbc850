import { expect, test } from 'vitest';
import type { DatabaseFailureKind } from '../../../src/database/failure-row.ts';
import { toDatabaseFailure, type FailureContext } from '../../../src/database/failure.ts';
import { Secret } from '../../../src/database/secret.ts';
import { parseTarget } from '../../../src/database/target.ts';

function context(change: Partial<FailureContext> = {}): FailureContext {
  const parsed = parseTarget('postgres://app:Tr0ub4dor@db.example.com/shop');
  if (parsed.kind === 'problem') throw new Error(parsed.sentence);
  return { target: parsed.target, secret: parsed.secret, during: 'connect', ...change };
}

const cases: readonly (readonly [
  kind: DatabaseFailureKind,
  code: string | null,
  message: string,
  change: Partial<FailureContext>,
])[] = [
  ['unreachable', 'ECONNREFUSED', 'connect ECONNREFUSED', {}],
  ['unreachable', 'ENOTFOUND', 'getaddrinfo ENOTFOUND', {}],
  ['unreachable', 'EHOSTUNREACH', 'connect EHOSTUNREACH', {}],
  ['unreachable', 'ETIMEDOUT', 'connect ETIMEDOUT', {}],
  ['unreachable', null, 'timeout expired', { wire: 'not connected' }],
  ['unreachable', '57P03', 'the database system is starting up', {}],
  ['wrong-password', '28P01', 'password authentication failed for user "app"', {}],
  [
    'tls-refused',
    '28000',
    'no pg_hba.conf entry for host "10.0.0.9", user "app", database "shop", no encryption',
    {},
  ],
  ['no-such-role', '28000', 'role "app" is not permitted to log in', {}],
  ['no-such-database', '3D000', 'database "shop" does not exist', {}],
  ['too-many', '53300', 'sorry, too many clients already', {}],
  ['too-many', '08P01', 'no more connections allowed (max_client_conn)', {}],
  ['tls-refused', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate', {}],
  ['tls-refused', 'CERT_HAS_EXPIRED', 'certificate has expired', {}],
  [
    'tls-refused',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    "Hostname/IP does not match certificate's altnames",
    {},
  ],
  ['timeout', null, 'timeout expired', { wire: 'answered' }],
  ['not-postgres', null, 'timeout expired', { wire: 'no answer yet' }],
  ['not-postgres', null, 'Connection terminated unexpectedly', { wire: 'no answer yet' }],
  ['lost', null, 'Connection terminated unexpectedly', { during: 'work' }],
  ['no-such-database', '08P01', 'no such database: shop', {}],
  ['wrong-password', '08P01', 'password authentication failed', {}],
  ['statement', '08P01', "invalid command 'BEGIN READ ONLY', use SHOW HELP;", { during: 'work' }],
  ['lost', '57P01', 'terminating connection due to administrator command', { during: 'work' }],
  ['lost', 'ECONNRESET', 'read ECONNRESET', { during: 'work' }],
  ['timeout', '57014', 'canceling statement due to statement timeout', { during: 'work' }],
  ['cancelled', '57014', 'canceling statement due to user request', { during: 'work' }],
  ['permission', '42501', 'permission denied for table secrets', { during: 'work' }],
  ['statement', 'XX000', 'could not read block 4 in file "base/1/2"', { during: 'work' }],
];

test.each(cases)('%s: %s %s', (kind, code, message, change) => {
  const failure = toDatabaseFailure(
    Object.assign(new Error(message), code === null ? {} : { code }),
    context(change),
  );
  expect(failure).toMatchObject({ kind, code });
  expect(failure.sentence).toContain('db.example.com');
  expect(failure.sentence).toMatch(/\.$/);
});

test('a host with several addresses fails with the code of the first', () => {
  const error = new AggregateError([
    Object.assign(new Error('connect ECONNREFUSED ::1:5432'), { code: 'ECONNREFUSED' }),
  ]);
  expect(toDatabaseFailure(error, context())).toMatchObject({
    kind: 'unreachable',
    code: 'ECONNREFUSED',
  });
});

test('no secret and no control character comes through, however hostile the server', () => {
  const { sentence } = toDatabaseFailure(
    new Error('\u001B[2Jcannot use postgres://app:Tr0ub4dor@db/shop \u202E password=Tr0ub4dor'),
    context({ secret: new Secret('Tr0ub4dor'), during: 'work' }),
  );
  expect(sentence).not.toContain('Tr0ub4dor');
  expect(sentence).not.toMatch(/[\p{Cc}\u202E]/u);
});

test('whatever is thrown, there is a sentence', () => {
  expect(toDatabaseFailure('out of luck', context({ during: 'work' })).sentence).toBe(
    'The server at db.example.com:5432 failed: out of luck.',
  );
});

test.each([
  ['42P01', 'relation "usres" does not exist'],
  ['42703', 'column "nmae" does not exist'],
  ['22012', 'division by zero'],
  ['25006', 'cannot execute UPDATE in a read-only transaction'],
  ['P0001', 'not on Sundays'],
])(
  'a statement that the server refuses (%s) is not called a failure of the server',
  (code, message) => {
    const failure = toDatabaseFailure(
      Object.assign(new Error(message), { code }),
      context({ during: 'work' }),
    );
    expect(failure).toEqual({
      kind: 'statement',
      sentence: `PostgreSQL rejected the statement: ${message}.`,
      code,
    });
  },
);

test.each([
  ['a server', { during: 'work' }, 'Check the server and the network.'],
  [
    'a pooler',
    { during: 'work', isPooled: true },
    'all of them are in use, or the server does not respond',
  ],
  [
    'whoever let the session in',
    { during: 'connect', wire: 'answered' },
    'or a pooler in between has no free server connection',
  ],
] as const)('no answer in time from %s says what it may be', (_, change, words) => {
  expect(toDatabaseFailure(new Error('Query read timeout'), context(change))).toMatchObject({
    kind: 'timeout',
    sentence: expect.stringContaining(words) as string,
  });
});
