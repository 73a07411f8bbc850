import { exhausted, harm, outcome } from '../harm.ts';

interface Users {
  listUsers(): Promise<unknown>;
}

export const endPooledClient = [
  harm<Users>({
    rule: 'no-end-pooled-client',
    name: 'the connection is closed, and its place in the pool stays taken',
    tables: 'CREATE TABLE users ()',
    max: 1,
    play: async ({ example, pool, backends }) => {
      await example.listUsers();
      const requests = [await outcome(example.listUsers())];
      return { requests, total: pool.totalCount, backends: (await backends()).length };
    },
    wrong: { example: '❌ Ends the client.', seen: { requests: [exhausted], total: 1, backends: 0 } },
    right: { example: '✅ Releases it.', seen: { requests: ['ok'], total: 1, backends: 1 } },
  }),
];
