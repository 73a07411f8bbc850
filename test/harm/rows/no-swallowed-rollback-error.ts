import type { Pool } from 'pg';
import { askAsOther, connectAsOther, harm, outcome } from '../harm.ts';

interface Users {
  readonly pool: Pool;
  rename(id: number, name: string): Promise<void>;
}

const timedOut = 'Query read timeout';

export const swallowedRollbackError = [
  harm<Users>({
    rule: 'no-swallowed-rollback-error',
    name: 'after query_timeout, the next borrower commits what has failed',
    tables: "CREATE TABLE users (id int, name text); INSERT INTO users VALUES (1, 'Ada')",
    play: async ({ example }) => {
      const { pool } = example;
      Object.assign(pool.options, { query_timeout: 100, max: 1 });
      const locker = await connectAsOther();
      await locker.query('BEGIN');
      await locker.query('SELECT FROM users FOR UPDATE');
      const renaming = await outcome(example.rename(1, 'Bob'));
      await locker.end();
      const borrower = await pool.connect();
      await borrower.query('SELECT 1');
      const borrowersTransaction = borrower.getTransactionStatus();
      await borrower.query('BEGIN');
      await borrower.query('COMMIT');
      borrower.release();
      return { renaming, borrowersTransaction, users: await askAsOther('SELECT name FROM users') };
    },
    wrong: {
      example: '❌ Ignores that the ROLLBACK failed.',
      seen: { renaming: timedOut, borrowersTransaction: 'T', users: [{ name: 'Bob' }] },
    },
    right: {
      example: '✅ Destroys the connection if the ROLLBACK failed.',
      seen: { renaming: timedOut, borrowersTransaction: 'I', users: [{ name: 'Ada' }] },
    },
  }),
];
