import { describe, expect, test } from 'vitest';
import { describeRole, nameRole, type ConnectedRole } from '../../../../src/activity/role-power.ts';
import type { RoleRights } from '../../../../src/database/probe-server.ts';
import { findRole, judgeRole, suffices } from '../../../../src/probe/preflight/role-guard.ts';

const rights = (name: string, change: Partial<RoleRights> = {}): RoleRights => ({
  name,
  isLogin: true,
  isSuperuser: false,
  memberOf: [],
  ...change,
});
const current = (name: string, change: Partial<RoleRights> = {}) =>
  rights(name, { isLogin: false, ...change });

test.each<readonly [string, readonly RoleRights[], ConnectedRole | undefined]>([
  ['nobody', [], undefined],
  ['an ordinary role', [rights('app')], { name: 'app', power: null }],
  [
    'an ordinary role that became another',
    [rights('login'), current('app')],
    { name: 'app', power: null },
  ],
  [
    'a superuser',
    [rights('postgres', { isSuperuser: true })],
    { name: 'postgres', power: 'superuser' },
  ],
  [
    'a superuser that became an ordinary role',
    [rights('postgres', { isSuperuser: true }), current('app')],
    { name: 'postgres', power: 'superuser' },
  ],
  [
    'an ordinary role that became a superuser',
    [rights('app'), current('postgres', { isSuperuser: true })],
    { name: 'postgres', power: 'superuser' },
  ],
  [
    'a member of a superuser',
    [rights('app', { memberOf: ['boss', 'pg_execute_server_program'] })],
    { name: 'app', power: 'superuser-member' },
  ],
  [
    'one who may run programs',
    [rights('app', { memberOf: ['pg_execute_server_program', 'pg_read_server_files'] })],
    { name: 'app', power: 'programs' },
  ],
  [
    'one who may write files',
    [rights('app', { memberOf: ['pg_write_server_files'] })],
    { name: 'app', power: 'files' },
  ],
])('the statements of %s', (_, rows, role) => {
  expect(findRole(rows)).toEqual(role);
});

test.each<readonly [ConnectedRole, string, string]>([
  [{ name: 'app', power: null }, 'app', 'app'],
  [{ name: 'postgres', power: 'superuser' }, 'the superuser postgres', 'superuser postgres'],
  [{ name: 'app', power: 'superuser-member' }, 'app, which may become a superuser', 'app'],
  [{ name: 'app', power: 'programs' }, 'app, which may run programs on the server', 'app'],
  [
    { name: 'a\u001B[2J\u202E', power: 'files' },
    'a\\u001b[2J\\u202e, which may reach files of the server',
    'a\\u001b[2J\\u202e',
  ],
])('%j in words', (role, described, named) => {
  expect([describeRole(role), nameRole(role)]).toEqual([described, named]);
});

describe('a role', () => {
  const app: ConnectedRole = { name: 'app', power: null };
  const postgres: ConnectedRole = { name: 'postgres', power: 'superuser' };

  test('that is ordinary may probe, and so may one that was allowed by exactly its name', () => {
    expect([
      judgeRole(app, null, []),
      judgeRole(app, 'app', []),
      judgeRole(postgres, 'postgres', []),
    ]).toEqual([null, null, null]);
  });

  test('that is a superuser may not, and the refusal says why and what would do', () => {
    const refusal = judgeRole(postgres, null, [
      { schema: 'sales', table: 'order', privileges: ['SELECT'] },
    ]);
    expect(refusal?.sentence.split('\n')).toEqual([
      'A probe does not run as the superuser postgres: functions that the statement calls would have the same rights, and a read-only transaction stops neither programs nor files. Probe as an ordinary role:',
      "  CREATE ROLE poolguard LOGIN PASSWORD '<a password>';",
      '  GRANT pg_monitor TO poolguard;',
      '  GRANT USAGE ON SCHEMA sales TO poolguard;',
      '  GRANT SELECT ON sales."order" TO poolguard;',
      'To run as exactly this role, add --allow-role postgres.',
    ]);
    expect(refusal?.role).toEqual({
      ...postgres,
      sql: refusal?.sentence
        .split('\n')
        .slice(1, -1)
        .map((line) => line.trim()),
    });
  });

  test.each([
    [
      postgres,
      'Postgres',
      /^--allow-role does not name the role of this connection, which is the superuser postgres\. .*--allow-role postgres\.$/,
    ],
    [postgres, '', /does not name the role/],
    [
      app,
      'postgres',
      /^--allow-role does not name the role of this connection, which is app\. Leave it out: this role needs no consent\.$/,
    ],
    [
      { ...postgres, name: "my 'role'\u001B" },
      'x',
      /add --allow-role 'my '\\''role'\\''\\u001b'\.$/,
    ],
  ] as const)('%j is not allowed by %j', (role, allowed, sentence) => {
    const refusal = judgeRole(role, allowed, []);
    expect(refusal?.sentence).toMatch(sentence);
    // What was named may be a connection string that slipped in.
    expect(judgeRole(role, 'postgres://app:hunter2@localhost/shop', [])?.sentence).not.toContain(
      'hunter2',
    );
    expect(refusal?.role).toBeUndefined();
  });
});

test('what suffices for what is not known yet, and for several kinds of use', () => {
  expect(suffices('unknown').at(-1)).toBe(
    'GRANT SELECT ON ALL TABLES IN SCHEMA public TO poolguard;',
  );
  expect(suffices([]).length).toBe(2);
  const tables = suffices([
    { schema: null, table: 'a', privileges: ['SELECT'] },
    { schema: 's', table: 'b', privileges: ['SELECT', 'INSERT'] },
    { schema: 's', table: 'c\u202E', privileges: ['SELECT'] },
  ]);
  expect(tables.slice(2)).toEqual([
    'GRANT USAGE ON SCHEMA s TO poolguard;',
    'GRANT SELECT ON a, s.U&"c\\+00202E" TO poolguard;',
    'GRANT SELECT, INSERT ON s.b TO poolguard;',
  ]);
});
