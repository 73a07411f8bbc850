import { askAsOther, harm, outcome } from '../harm.ts';

interface Orders {
  pay(id: number): Promise<unknown>;
  move(from: number, to: number, amount: number): Promise<void>;
}

export const openTransactionRelease = [
  harm<Orders>({
    rule: 'no-open-transaction-release',
    name: 'the next borrower writes into the open transaction, and what it wrote is lost',
    tables: 'CREATE TABLE orders (id int, status text); CREATE TABLE audit (id int)',
    play: async ({ example, pool }) => {
      await example.pay(1);
      const borrower = await pool.connect();
      const borrowersTransaction = borrower.getTransactionStatus();
      const insert = await outcome(borrower.query('INSERT INTO audit VALUES (1)'));
      borrower.release();
      await pool.end();
      return { borrowersTransaction, insert, audit: await askAsOther('SELECT id FROM audit') };
    },
    wrong: {
      example: '❌ Returns before the COMMIT.',
      seen: { borrowersTransaction: 'T', insert: 'ok', audit: [] },
    },
    right: {
      example: '✅ Ends the transaction first.',
      seen: { borrowersTransaction: 'I', insert: 'ok', audit: [{ id: 1 }] },
    },
  }),
  harm<Orders>({
    rule: 'no-open-transaction-release',
    name: 'the next borrower fails for what went wrong before',
    tables:
      'CREATE TABLE accounts (id int, balance int CHECK (balance >= 0)); INSERT INTO accounts VALUES (1, 0), (2, 0)',
    play: async ({ example, pool }) => {
      const move = await outcome(example.move(1, 2, 50));
      return { hasFailed: move !== 'ok', next: await outcome(pool.query('SELECT 1')) };
    },
    wrong: {
      example: '❌ Releases in a `finally` and never rolls back.',
      seen: {
        hasFailed: true,
        next: 'current transaction is aborted, commands ignored until end of transaction block',
      },
    },
    right: { example: '✅ Rolls back on failure.', seen: { hasFailed: true, next: 'ok' } },
  }),
];
