import { exhausted, harm, outcome, until } from '../harm.ts';

interface Users {
  rename(id: number, name: string): Promise<void>;
  remove(id: number): Promise<void>;
}

const asksThePool = {
  example: '❌ Writes the audit log through the pool, inside a transaction.',
};
const usesItsClient = { example: '✅ Uses the client it holds.' };

export const nestedCheckout = [
  harm<Users>({
    rule: 'no-nested-checkout',
    name: 'as many callers as the pool has clients wait for each other',
    tables: 'CREATE TABLE users (id int, name text); CREATE TABLE audit (user_id int)',
    max: 2,
    play: async ({ example, pool, states }) => {
      const renaming = [1, 2].map((id) => outcome(example.rename(id, 'Ada')));
      await Promise.race([until(() => pool.waitingCount === 2), Promise.all(renaming)]);
      const meanwhile = { waiting: pool.waitingCount, sessions: await states() };
      return { ...meanwhile, isAnyExhausted: (await Promise.all(renaming)).includes(exhausted) };
    },
    wrong: {
      ...asksThePool,
      seen: {
        waiting: 2,
        sessions: ['idle in transaction', 'idle in transaction'],
        isAnyExhausted: true,
      },
    },
    right: {
      ...usesItsClient,
      seen: { waiting: 0, sessions: ['idle', 'idle'], isAnyExhausted: false },
    },
  }),
  harm<Users>({
    rule: 'no-nested-checkout',
    name: 'what the pool was asked to do is not part of the transaction',
    tables:
      "CREATE TABLE users (id int, name text UNIQUE DEFERRABLE INITIALLY DEFERRED); CREATE TABLE audit (user_id int); INSERT INTO users VALUES (1, 'Ada'), (2, 'Bob')",
    play: async ({ example, pool }) => {
      const renaming = await outcome(example.rename(2, 'Ada'));
      const { rows } = await pool.query('SELECT user_id FROM audit');
      return { renaming, audit: rows };
    },
    wrong: {
      ...asksThePool,
      seen: {
        renaming: 'duplicate key value violates unique constraint "users_name_key"',
        audit: [{ user_id: 2 }],
      },
    },
    right: {
      ...usesItsClient,
      seen: {
        renaming: 'duplicate key value violates unique constraint "users_name_key"',
        audit: [],
      },
    },
  }),
  harm<Users>({
    rule: 'no-nested-checkout',
    name: 'a pool of one waits for itself',
    tables: 'CREATE TABLE users (id int); CREATE TABLE audit (user_id int)',
    max: 1,
    play: async ({ example }) => ({ remove: await outcome(example.remove(1)) }),
    wrong: {
      example: '❌ Forgets to pass the client to a helper that takes one.',
      seen: { remove: exhausted },
    },
    right: { example: '✅ Passes it.', seen: { remove: 'ok' } },
  }),
];
