import { harm, outcome } from '../harm.ts';

interface Users {
  findUser(id: number): Promise<unknown>;
}

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
      seen: { insertSaid: 'ok', orders: [], borrowersRelease: 'Release called on client which has already been released to the pool.' },
    },
    right: { example: '✅ Leaves it to the `finally`.', seen: { insertSaid: 'ok', orders: [{ id: 1 }], borrowersRelease: 'ok' } },
  }),
];
