import { Sequelize, type Transaction } from 'sequelize';
import {
  lock,
  rolledBack,
  second,
  type Calls,
  type Habits,
  type HabitsSample,
  type Habitual,
  type Mistakes,
  type PoolOptions,
} from '../sample.ts';

function noteOf(text: string): string {
  return `INSERT INTO note VALUES ('${text}')`;
}

function callsOf(sequelize: Sequelize): Calls<Transaction> {
  return {
    lends: { transaction: (work) => sequelize.transaction(work) },
    sends: {},
    harmless: (inner) => ({
      savepoint: () =>
        sequelize.transaction({ transaction: inner }, (innermost) =>
          sequelize.query('SELECT 1', { transaction: innermost }),
        ),
    }),
    begin: async () => {
      const transaction = await sequelize.transaction();
      return () => transaction.commit();
    },
    write: (text, inner) => sequelize.query(noteOf(text), { transaction: inner ?? null }),
    end: () => sequelize.close(),
  };
}

function open(url: string, { max, patienceMs }: PoolOptions): Habitual<Transaction> {
  const sequelize = new Sequelize(url, {
    logging: false,
    pool: { min: 0, max, acquire: patienceMs },
  });
  const mistakes: Mistakes = {
    writes: (fails) =>
      sequelize.transaction(async (transaction) => {
        await sequelize.query(noteOf('inner'), { transaction });
        await sequelize.query(noteOf('outer'));
        if (fails) throw new Error(rolledBack);
      }),
    asks: (url) =>
      sequelize.transaction(async (transaction) => {
        await fetch(url); // expect: no-external-await-while-holding
        await sequelize.query(noteOf('asked'), { transaction });
      }),
    sendsTwo: () =>
      sequelize.transaction(async (transaction) => {
        await Promise.all([
          sequelize.query(lock, { transaction }),
          sequelize.query(second, { transaction }),
        ]);
      }),
    async writesLate() {
      const [ended] = await sequelize.transaction((transaction) => Promise.resolve([transaction]));
      await sequelize.query(noteOf('late'), { transaction: ended ?? null });
    },
  };
  const cures: Habits = {
    writes: (fails) =>
      sequelize.transaction(async (transaction) => {
        await sequelize.query(noteOf('inner'), { transaction });
        await sequelize.query(noteOf('outer'), { transaction });
        if (fails) throw new Error(rolledBack);
      }),
    async asks(url) {
      await fetch(url);
      await sequelize.transaction(async (transaction) => {
        await sequelize.query(noteOf('asked'), { transaction });
      });
    },
    sendsTwo: () =>
      sequelize.transaction(async (transaction) => {
        await sequelize.query(lock, { transaction });
        await sequelize.query(second, { transaction });
      }),
  };
  return { ...callsOf(sequelize), mistakes, cures };
}

/** No rule reports its queries: an option, or what is set around them, decides about their connection. */
export const sequelize: HabitsSample = {
  module: 'sequelize',
  begins: 'transaction',
  exhausted: /Operation timeout/u,
  ended: /commit has been called on this transaction/u,
  open,
};
