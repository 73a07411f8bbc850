import { harm } from '../harm.ts';

interface Users {
  listUsers(): Promise<unknown>;
}

export const accidentalDestroy = [
  harm<Users>({
    rule: 'no-accidental-destroy',
    name: 'each request pays for a connection of its own',
    tables: 'CREATE TABLE users ()',
    play: async ({ example, pool }) => {
      let connections = 0;
      pool.on('connect', () => connections++);
      for (let request = 0; request < 3; request++) await example.listUsers();
      return { connections, idle: pool.idleCount };
    },
    wrong: { example: '❌ Hands the rows to release.', seen: { connections: 3, idle: 0 } },
    right: { example: '✅ Releases without an argument.', seen: { connections: 1, idle: 1 } },
  }),
];
