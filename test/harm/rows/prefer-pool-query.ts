import { harm, outcome, until } from '../harm.ts';

interface Users {
  listUsers(): Promise<unknown>;
}

export const preferPoolQuery = [
  harm<Users>({
    rule: 'prefer-pool-query',
    name: 'a backend that ends during the statement is told twice, the second time to the error handler of the pool',
    tables: 'CREATE VIEW users AS SELECT pg_sleep(10)::text AS name',
    play: async ({ example, pool, backends, states, kill }) => {
      const listing = outcome(example.listUsers());
      await until(async () => (await states()).includes('active'));
      for (const pid of await backends()) await kill(pid);
      const listed = await listing;
      // The end of the connection comes after the error of the statement.
      await until(() => pool.totalCount === 0);
      return { listing: listed, next: await outcome(pool.query('SELECT 1')) };
    },
    wrong: {
      example: '❌ A checkout for one statement.',
      seen: { listing: 'terminating connection due to administrator command', next: 'ok' },
      stderr: /^Connection terminated unexpectedly\n$/u,
    },
    right: {
      example: '✅ Leaves the checkout to the pool.',
      seen: { listing: 'terminating connection due to administrator command', next: 'ok' },
    },
  }),
];
