import { expect, test } from 'vitest';
import type { ServerRoomFacts } from '../../../../src/database/probe-server.ts';
import type { ConsoleRow } from '../../../../src/pooler/to-pooler-report.ts';
import { findPoolerCap } from '../../../../src/probe/pooler/pooler-cap.ts';
import { aPooler } from '../../../support/a-pooler.ts';

const target = { database: 'shop', user: 'app' };
const room: ServerRoomFacts = {
  maxConnections: 100,
  reserved: 3,
  used: 7,
  roleLimit: null,
  roleFree: null,
  databaseLimit: null,
  databaseFree: null,
};
const full = { ...room, used: 89 };
const busy: ConsoleRow = { cl_active: '20', sv_active: '1', sv_idle: '1' };

test.each<readonly [string, number, ServerRoomFacts, Parameters<typeof aPooler> | null, number]>([
  ['what was asked for', 12, room, [[busy]], 12],
  ['half of the clients that the pooler still takes', 32, room, [[busy]], 15],
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
    5,
  ],
  ['as if connected directly, without the console', 64, room, null, 45],
])('the cap is %s', (_, asked, server, rows, size) => {
  expect(
    findPoolerCap(asked, server, rows === null ? null : aPooler(...rows), target),
  ).toMatchObject({ kind: 'cap', cap: { size } });
});

test('refuses a pooler without room, and says which limit', () => {
  const pooler = aPooler([{ cl_active: '48' }]);
  expect(findPoolerCap(32, room, pooler, target)).toMatchObject({
    kind: 'refused',
    sentence: expect.stringMatching(/takes 2 more clients \(max_client_conn 50\)/) as string,
  });
});
