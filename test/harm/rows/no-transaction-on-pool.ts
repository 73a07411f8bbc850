import { askAsOther, harm, outcome } from '../harm.ts';

interface Accounts {
  transfer(from: number, to: number, amount: number): Promise<void>;
}

const overdrawn =
  'new row for relation "accounts" violates check constraint "accounts_balance_check"';

export const transactionOnPool = [
  harm<Accounts>({
    rule: 'no-transaction-on-pool',
    name: 'a ROLLBACK undoes nothing, and somebody else has the open transaction',
    tables:
      'CREATE TABLE accounts (id int, balance int CHECK (balance >= 0)); INSERT INTO accounts VALUES (1, 0), (2, 100)',
    max: 2,
    play: async ({ example, pool }) => {
      const other = await pool.connect();
      const transferring = outcome(example.transfer(1, 2, 50));
      const stranger = await pool.connect();
      const strangersTransaction = stranger.getTransactionStatus();
      other.release();
      const transfer = await transferring;
      return {
        strangersTransaction,
        transfer,
        accounts: await askAsOther('SELECT id, balance FROM accounts ORDER BY id'),
      };
    },
    wrong: {
      example: '❌ Sends each statement to the pool.',
      seen: {
        strangersTransaction: 'T',
        transfer: overdrawn,
        accounts: [
          { id: 1, balance: 0 },
          { id: 2, balance: 150 },
        ],
      },
    },
    right: {
      example: '✅ Checks out one client for all statements.',
      seen: {
        strangersTransaction: 'I',
        transfer: overdrawn,
        accounts: [
          { id: 1, balance: 0 },
          { id: 2, balance: 100 },
        ],
      },
    },
  }),
];
