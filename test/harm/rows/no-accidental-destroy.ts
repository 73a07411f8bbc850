import { harm } from '../harm.ts';

interface Users {
  touch(id: number): Promise<unknown>;
  allUsers(callback: () => void): void;
}

export const accidentalDestroy = [
  harm<Users>({
    rule: 'no-accidental-destroy',
    name: 'each request pays for a connection of its own',
    tables: 'CREATE TABLE users (id int, seen timestamptz)',
    play: async ({ example, pool }) => {
      let connections = 0;
      pool.on('connect', () => connections++);
      for (let request = 0; request < 3; request++) await example.touch(1);
      return { connections, idle: pool.idleCount };
    },
    wrong: {
      example: '❌ `then` calls the release with the result of the query.',
      seen: { connections: 3, idle: 0 },
    },
    right: {
      example: '✅ `finally` calls it without arguments.',
      seen: { connections: 1, idle: 1 },
    },
  }),
  harm<Users>({
    rule: 'no-accidental-destroy',
    name: 'so does each request that gives its result to done',
    tables: 'CREATE TABLE users ()',
    play: async ({ example, pool }) => {
      let connections = 0;
      pool.on('connect', () => connections++);
      for (let request = 0; request < 3; request++)
        await new Promise<void>((resolve) => example.allUsers(resolve));
      return { connections, idle: pool.idleCount };
    },
    wrong: {
      example: '❌ Passes the result to `done`, which is not the callback of the caller.',
      seen: { connections: 3, idle: 0 },
    },
    right: {
      example: '✅ Passes only the error to `done`.',
      seen: { connections: 1, idle: 1 },
    },
  }),
];
