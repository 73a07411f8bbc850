import { expect, test } from 'vitest';
import type { ServerRoomFacts } from '../../../../src/database/probe-server.ts';
import { findCap } from '../../../../src/probe/preflight/cap.ts';

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
  ['half of what is free', 64, room, 45],
  ['all but five', 32, { ...room, used: 88 }, 4],
  ['half of what the role has left', 32, { ...room, roleLimit: 30, roleFree: 20 }, 10],
  ['half of what the database has left', 32, { ...room, databaseLimit: 17, databaseFree: 16 }, 8],
])('the cap is %s', (_, asked, server, size) => {
  expect(findCap(asked, server)).toMatchObject({ kind: 'cap', cap: { size } });
});

test('the cap says why', () => {
  const answer = findCap(64, room);
  expect(answer).toMatchObject({
    cap: {
      because: expect.stringContaining(
        'the server (max_connections 100, 3 reserved) has 90 free connections',
      ) as string,
    },
  });
});

test.each([
  ['a full server', { ...room, used: 97 }, '0 free connections'],
  ['six free connections', { ...room, used: 91 }, '6 free connections'],
  [
    'a role at its limit',
    { ...room, roleLimit: 3, roleFree: 1 },
    'This role (CONNECTION LIMIT 3) has 1 free connection,',
  ],
])('refuses %s', (_, server, words) => {
  expect(findCap(32, server)).toMatchObject({
    kind: 'refused',
    sentence: expect.stringContaining(words) as string,
  });
});
