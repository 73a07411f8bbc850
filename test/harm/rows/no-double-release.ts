import { harm, outcome } from '../harm.ts';

interface Users {
  findUser(id: number): Promise<unknown>;
  rename(id: number, name: string): Promise<void>;
  countUsers(callback: (error: Error | null) => void): void;
}

const releasedTwice = 'Release called on client which has already been released to the pool.';

export const doubleRelease = [
  harm<Users>({
    rule: 'no-double-release',
    name: 'an INSERT that succeeded is gone in the ROLLBACK of somebody else, and the error hits the victim',
    tables: 'CREATE TABLE users (id int); CREATE TABLE orders (id int)',
    max: 1,
    play: async ({ example, pool }) => {
      const finding = example.findUser(1);
      const borrowing = pool.connect();
      await finding;
      const borrower = await borrowing;
      await borrower.query('BEGIN');
      const insert = outcome(pool.query('INSERT INTO orders VALUES (1)'));
      await borrower.query('INSERT INTO orders VALUES (2)');
      await borrower.query('ROLLBACK');
      const borrowersRelease = await outcome(Promise.resolve().then(() => borrower.release()));
      const insertSaid = await insert;
      const { rows } = await pool.query('SELECT id FROM orders');
      return { insertSaid, orders: rows, borrowersRelease };
    },
    wrong: {
      example: '❌ Releases before an early return, and again in the `finally`.',
      seen: { insertSaid: 'ok', orders: [], borrowersRelease: releasedTwice },
    },
    right: {
      example: '✅ Leaves the release to the `finally`.',
      seen: { insertSaid: 'ok', orders: [{ id: 1 }], borrowersRelease: 'ok' },
    },
  }),
  harm<Users>({
    rule: 'no-double-release',
    name: 'the error of the second release hides the true one',
    tables: 'CREATE TABLE users (id int, name text)',
    play: async ({ example }) => ({ rename: await outcome(example.rename(1, 'Ada')) }),
    wrong: {
      example: '❌ Releases, and then throws into a `catch` that releases.',
      seen: { rename: releasedTwice },
    },
    right: {
      example: '✅ Sets the client to `null`, or a flag, after the release.',
      seen: { rename: 'No such user.' },
    },
  }),
  harm<Users>({
    rule: 'no-double-release',
    name: 'a listener that releases too ends the process when the idle connection is lost',
    tables: 'CREATE TABLE users (id int)',
    play: async ({ example, pool, backends, kill }) => {
      await example.findUser(1);
      const removed = new Promise((resolve) => pool.once('remove', resolve));
      for (const pid of await backends()) await kill(pid);
      await removed;
      return { next: await outcome(pool.query('SELECT 1')) };
    },
    wrong: {
      example:
        '❌ Releases in a listener of the client as well. The listener outlives the release: if the connection is lost later, the listener throws, and the process ends.',
      seen: undefined,
      code: 1,
      stderr: /Error: Release called on client which has already been released to the pool\./u,
    },
    right: {
      example:
        '✅ Lets the listener log only. A query fails if the connection is lost, and the `finally` releases.',
      seen: { next: 'ok' },
      stderr: /^terminating connection due to administrator command/u,
    },
  }),
  harm<Users>({
    rule: 'no-double-release',
    name: 'in a callback, nobody catches what the second release throws, and the process ends',
    play: async ({ example, pool }) => {
      const count = await new Promise<string>((resolve) =>
        example.countUsers((error) => setImmediate(resolve, error?.message ?? 'ok')),
      );
      return { count, next: await outcome(pool.query('SELECT 1')) };
    },
    wrong: {
      example: '❌ Continues after `done` in an error branch.',
      seen: undefined,
      code: 1,
      stderr: /Error: Release called on client which has already been released to the pool\./u,
    },
    right: {
      example: '✅ Returns after `done`.',
      seen: { count: 'relation "users" does not exist', next: 'ok' },
    },
  }),
];
