import { expect, test } from 'vitest';
import type { ServerRoomFacts } from '../../../../src/database/probe-server.ts';
import type { ConsoleRow } from '../../../../src/pooler/to-pooler-report.ts';
import { findCap, findPoolerCap } from '../../../../src/probe/preflight/cap.ts';
import { aPooler } from '../../../support/a-pooler.ts';

const room: ServerRoomFacts = {
  maxConnections: 100,
  reserved: 3,
  used: 7,
  roleLimit: null,
  roleFree: null,
  databaseLimit: null,
  databaseFree: null,
};

test.each([
  ['what was asked for', 32, room, 32],
  ['half of what was free before the session that watches', 64, room, 44],
  ['all but five', 32, { ...room, used: 88 }, 4],
  ['half of what the role has left', 32, { ...room, roleLimit: 30, roleFree: 20 }, 9],
  ['half of what the database has left', 32, { ...room, databaseLimit: 17, databaseFree: 16 }, 7],
])('the cap is %s', (_, asked, server, size) => {
  expect(findCap(asked, server)).toMatchObject({ kind: 'cap', cap: { size } });
});

test('the cap says why', () => {
  const answer = findCap(64, room);
  expect(answer).toMatchObject({
    cap: {
      because: expect.stringContaining(
        'the server (max_connections 100, 3 reserved) had 91 free connections',
      ) as string,
    },
  });
});

test.each([
  ['a full server', { ...room, used: 97 }, '1 free connection'],
  ['six free connections', { ...room, used: 91 }, '7 free connections'],
  [
    'a role at its limit',
    { ...room, roleLimit: 3, roleFree: 1 },
    'This role (CONNECTION LIMIT 3) had 2 free connections,',
  ],
])('refuses %s', (_, server, words) => {
  expect(findCap(32, server)).toMatchObject({
    kind: 'refused',
    sentence: expect.stringContaining(words) as string,
  });
});

const target = { database: 'shop', user: 'app' };
const full = { ...room, used: 89 };
const busy: ConsoleRow = { cl_active: '20', sv_active: '1', sv_idle: '1' };

test.each<readonly [string, number, ServerRoomFacts, Parameters<typeof aPooler> | null, number]>([
  ['what was asked for', 12, room, [[busy]], 12],
  ['half of the clients that the pooler still takes', 32, room, [[busy]], 14],
  [
    'any number that the pooler takes, where its pool has room on the server',
    14,
    full,
    [[busy]],
    14,
  ],
  [
    'what is open and half of what the server has left, where the pool may outgrow it',
    32,
    full,
    [[busy], { default_pool_size: '20', max_client_conn: '500' }],
    6,
  ],
  [
    'half of the free backends in session mode',
    32,
    room,
    [[{ ...busy, pool_mode: 'session' }], { default_pool_size: '11' }],
    4,
  ],
  ['as if connected directly, without the console', 64, room, null, 44],
])('behind a pooler the cap is %s', (_, asked, server, rows, size) => {
  expect(
    findPoolerCap(asked, server, rows === null ? null : aPooler(...rows), target),
  ).toMatchObject({ kind: 'cap', cap: { size } });
});

test('refuses a pooler without room, and says which limit', () => {
  const pooler = aPooler([{ cl_active: '48' }]);
  expect(findPoolerCap(32, room, pooler, target)).toMatchObject({
    kind: 'refused',
    sentence: expect.stringMatching(/had room for 3 clients \(max_client_conn 50\)/) as string,
  });
});
