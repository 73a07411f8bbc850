import { askAsOther, harm, outcome, until } from '../harm.ts';

interface Shop {
  loadUser(id: number): Promise<unknown>;
  order(items: readonly { readonly id: number; readonly count: number }[]): Promise<void>;
}

export const concurrentClientQuery = [
  harm<Shop>({
    rule: 'no-concurrent-client-query',
    name: 'queries that are sent together run one after the other',
    tables:
      'CREATE VIEW users AS SELECT 1 AS id, pg_sleep(0.4)::text AS slow; CREATE VIEW orders AS SELECT 1 AS user_id, pg_sleep(0.4)::text AS slow',
    play: async ({ example, states }) => {
      let isLoaded = false;
      let mostAtOnce = 0;
      void example.loadUser(1).then(() => (isLoaded = true));
      await until(async () => {
        mostAtOnce = Math.max(
          mostAtOnce,
          (await states()).filter((state) => state === 'active').length,
        );
        return isLoaded;
      });
      return { mostAtOnce };
    },
    wrong: { example: '❌ Two concurrent queries that gain nothing.', seen: { mostAtOnce: 1 } },
    right: {
      example: '✅ Outside a transaction, the pool runs each query on its own client.',
      seen: { mostAtOnce: 2 },
    },
  }),
  harm<Shop>({
    rule: 'no-concurrent-client-query',
    name: 'what the other rounds write behind the ROLLBACK stays, and pg warns of the third query in flight',
    tables:
      'CREATE TABLE items (id int, stock int); INSERT INTO items VALUES (1, 0), (2, 5), (3, 5)',
    play: async ({ example, pool }) => {
      const order = await outcome(example.order([1, 2, 3].map((id) => ({ id, count: 1 }))));
      await pool.query('SELECT 1');
      const stock = await askAsOther('SELECT stock FROM items ORDER BY id');
      return { order, stock };
    },
    wrong: {
      example: '❌ When one item is rejected, the others are written after the ROLLBACK.',
      seen: { order: 'Only 0 of 1 left.', stock: [{ stock: 0 }, { stock: 4 }, { stock: 4 }] },
      stderr:
        /DeprecationWarning: Calling client\.query\(\) when the client is already executing a query is deprecated and will be removed in pg@9\.0/u,
    },
    right: {
      example: '✅ One item after the other.',
      seen: { order: 'Only 0 of 1 left.', stock: [{ stock: 0 }, { stock: 5 }, { stock: 5 }] },
    },
  }),
];
