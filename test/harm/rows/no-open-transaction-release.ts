import { askAsOther, harm, outcome } from '../harm.ts';

interface Orders {
  pay(id: number): Promise<unknown>;
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
    wrong: { example: '❌ Returns before the COMMIT.', seen: { borrowersTransaction: 'T', insert: 'ok', audit: [] } },
    right: { example: '✅ Ends the transaction first.', seen: { borrowersTransaction: 'I', insert: 'ok', audit: [{ id: 1 }] } },
  }),
];
