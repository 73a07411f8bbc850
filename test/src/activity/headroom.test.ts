import { describe, expect, test } from 'vitest';
import { findConcerns } from '../../../src/activity/concern.ts';
import { toHeadroom } from '../../../src/activity/headroom.ts';
import type { ConnectionLimitRow } from '../../../src/activity/server-rows.ts';
import { aReport, aSession as session } from '../../support/a-session.ts';

const server = { maxConnections: 10, superuserReserved: 3, reserved: 2 };
const role: ConnectionLimitRow = { scope: 'role', name: 'app', limit: null, isOwn: true };
const database: ConnectionLimitRow = { scope: 'database', name: 'shop', limit: null, isOwn: true };

test('both reserves are taken off, and the parts add up to what is used', () => {
  const own = session({ state: 'active', application: 'poolguard', isOwn: true });
  const sessions = [
    session(),
    own,
    session({ state: 'active' }),
    session({ state: 'active', isWaiting: true }),
    session({ state: 'hidden' }),
    session({ state: 'starting' }),
    session({ state: 'idle in transaction (aborted)' }),
  ];
  expect(toHeadroom(server, sessions)).toEqual({
    ...server,
    usable: 5,
    used: 7,
    free: 0,
    split: {
      active: 1,
      waiting: 1,
      idle: 1,
      idleInTransaction: 0,
      aborted: 1,
      hidden: 1,
      other: 1,
      own: 1,
    },
    limits: [],
    forRole: { free: 0, boundBy: 'server', isSuperuser: false },
  });
});

describe('what the own role could still open', () => {
  test.each([
    ['an ordinary role', {}, { free: 4, boundBy: 'server', isSuperuser: false }],
    [
      'a role that may use the reserve',
      { usesReserve: true },
      { free: 6, boundBy: 'server', isSuperuser: false },
    ],
    [
      'a superuser, whom no limit binds',
      { isSuperuser: true, limits: [{ ...role, limit: 1 }] },
      { free: 9, boundBy: 'server', isSuperuser: true },
    ],
    [
      'a limit of the role',
      { limits: [{ ...role, limit: 3 }, database] },
      { free: 2, boundBy: 'role', isSuperuser: false },
    ],
    [
      'a tighter one of the database',
      {
        limits: [
          { ...role, limit: 3 },
          { ...database, limit: 1 },
        ],
      },
      { free: 0, boundBy: 'database', isSuperuser: false },
    ],
    [
      'a limit that leaves more than the server',
      { limits: [{ ...role, limit: 90 }] },
      { free: 4, boundBy: 'server', isSuperuser: false },
    ],
    [
      "another role's limit",
      { limits: [{ ...role, limit: 1, isOwn: false }] },
      { free: 4, boundBy: 'server', isSuperuser: false },
    ],
  ])('%s', (_name, given, forRole) => {
    expect(toHeadroom({ ...server, ...given }, [session()]).forRole).toEqual(forRole);
  });
});

test('limits of others are listed while they have sessions, the own ones always', () => {
  const others: ConnectionLimitRow[] = [
    { scope: 'role', name: 'worker', limit: 5, isOwn: false },
    { scope: 'role', name: 'retired', limit: 5, isOwn: false },
  ];
  const { limits } = toHeadroom({ ...server, limits: [role, database, ...others] }, [
    session(),
    session({ user: 'worker', database: 'other' }),
  ]);
  expect(limits).toEqual([
    { scope: 'role', name: 'app', limit: null, used: 1, free: null, isOwn: true },
    { scope: 'database', name: 'shop', limit: null, used: 1, free: null, isOwn: true },
    { scope: 'role', name: 'worker', limit: 5, used: 1, free: 4, isOwn: false },
  ]);
});

test.each([
  ['far from it', role, 10, []],
  [
    'near it',
    role,
    5,
    [['warning', 'This role has 4 of the 5 connections that its own limit allows (80 %): 1 left.']],
  ],
  [
    'at it',
    database,
    4,
    [
      [
        'critical',
        'This database has 4 of the 4 connections that its own limit allows (100 %): 0 left.',
      ],
    ],
  ],
  [
    'beyond it',
    { ...role, isOwn: false },
    3,
    [['critical', 'A role has 4 of the 3 connections that its own limit allows (133 %): 0 left.']],
  ],
  ['nobody may connect', role, 0, []],
])('a concern about a limit: %s', (_name, row, limit, expected) => {
  const sessions = [1, 2, 3, 4].map((pid) => session({ pid }));
  const headroom = toHeadroom(
    { ...server, maxConnections: 100, limits: [{ ...row, limit }] },
    sessions,
  );
  const concerns = findConcerns({ ...aReport(sessions), headroom });
  expect(concerns.map(({ severity, sentence }) => [severity, sentence])).toEqual(expected);
  expect(concerns.flatMap(({ pids }) => pids)).toEqual(expected.length === 0 ? [] : [1, 2, 3, 4]);
});
