import { harm, outcome } from '../harm.ts';

interface Users {
  listUsers(request: object, response: { json(rows: unknown): void }): Promise<unknown>;
  handler(event: { readonly id: number }): Promise<unknown>;
}

const response = { json: () => undefined };

export const poolPerRequest = [
  harm<Users>({
    rule: 'no-pool-per-request',
    name: 'backends grow with requests until the server takes no more',
    tables: 'CREATE TABLE users ()',
    connectionLimit: 5,
    play: async ({ example, backends }) => {
      const requests = [];
      for (let request = 0; request < 6; request++)
        requests.push(await outcome(example.listUsers({}, response)));
      return {
        requests: requests.map((said) => said.replace(/"test_\w+"/u, '…')),
        backends: (await backends()).length,
      };
    },
    wrong: {
      example: '❌ A pool for each request.',
      seen: {
        requests: ['ok', 'ok', 'ok', 'ok', 'ok', 'too many connections for database …'],
        backends: 5,
      },
    },
    right: {
      example: '✅ One pool for all requests.',
      seen: { requests: ['ok', 'ok', 'ok', 'ok', 'ok', 'ok'], backends: 1 },
    },
  }),
  harm<Users>({
    rule: 'no-pool-per-request',
    name: 'the first request ends the pool of all others',
    tables: 'CREATE TABLE users (id int)',
    play: async ({ example }) => ({
      first: await outcome(example.handler({ id: 1 })),
      second: await outcome(example.handler({ id: 1 })),
    }),
    wrong: {
      example: '❌ Ends the pool that the next request needs.',
      seen: { first: 'ok', second: 'Called end on pool more than once' },
    },
    right: { example: '✅ Leaves the pool open.', seen: { first: 'ok', second: 'ok' } },
  }),
];
