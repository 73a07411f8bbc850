import { harm, outcome } from '../harm.ts';

interface Users {
  listUsers(request: object, response: { json(rows: unknown): void }): Promise<unknown>;
}

export const poolPerRequest = [
  harm<Users>({
    rule: 'no-pool-per-request',
    name: 'backends grow with requests until the server takes no more',
    tables: 'CREATE TABLE users ()',
    connectionLimit: 5,
    play: async ({ example, backends }) => {
      const requests = [];
      for (let request = 0; request < 6; request++) requests.push(await outcome(example.listUsers({}, { json: () => undefined })));
      return { requests: requests.map((said) => said.replace(/"test_\w+"/u, '…')), backends: (await backends()).length };
    },
    wrong: { example: '❌ A pool for each request.', seen: { requests: ['ok', 'ok', 'ok', 'ok', 'ok', 'too many connections for database …'], backends: 5 } },
    right: { example: '✅ One for all.', seen: { requests: ['ok', 'ok', 'ok', 'ok', 'ok', 'ok'], backends: 1 } },
  }),
];
