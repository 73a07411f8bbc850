import { askAsOther, harm, outcome } from '../harm.ts';

interface Users {
  save(...ids: readonly number[]): Promise<void>;
}

const wrong = { example: '❌ Three at once.' };
const right = { example: '✅ One after the other.' };
const deprecation = /DeprecationWarning: Calling client\.query\(\) when the client is already executing a query is deprecated and will be removed in pg@9\.0/u;

export const concurrentClientQuery = [
  harm<Users>({
    rule: 'no-concurrent-client-query',
    name: 'the client goes back while statements still run, and they write after the failure was told',
    tables: 'CREATE TABLE users (id int PRIMARY KEY); INSERT INTO users VALUES (1)',
    play: async ({ example, pool }) => {
      const saving = await outcome(example.save(1, 2, 3));
      await pool.query('SELECT 1');
      return { saving, users: await askAsOther('SELECT id FROM users ORDER BY id') };
    },
    wrong: { ...wrong, seen: { saving: 'duplicate key value violates unique constraint "users_pkey"', users: [{ id: 1 }, { id: 2 }, { id: 3 }] }, stderr: deprecation },
    right: { ...right, seen: { saving: 'duplicate key value violates unique constraint "users_pkey"', users: [{ id: 1 }] } },
  }),
];
