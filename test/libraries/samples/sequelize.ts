import { DataTypes, Model, Sequelize, type Transaction } from 'sequelize';
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

/** A query that needs more than the table `note` fails, once it has a connection. */
class Kept extends Model {}

function sendsOf(sequelize: Sequelize): Calls['sends'] {
  Kept.init(
    { id: { type: DataTypes.INTEGER, primaryKey: true }, count: DataTypes.INTEGER },
    { sequelize, paranoid: true },
  );
  const where = { id: 1 };
  return {
    findAll: () => Kept.findAll(),
    findOne: () => Kept.findOne({ where }),
    findAndCountAll: () => Kept.findAndCountAll(),
    findOrCreate: () => Kept.findOrCreate({ where }),
    findOrBuild: () => Kept.findOrBuild({ where }),
    findCreateFind: () => Kept.findCreateFind({ where }),
    count: () => Kept.count(),
    destroy: () => Kept.destroy({ where }),
    restore: () => Kept.restore({ where }),
    truncate: () => Kept.truncate(),
    save: () => Kept.build(where).save(),
    reload: () => Kept.build(where).reload(),
    findByPk: () => Kept.findByPk(1),
    create: () => Kept.create(where),
    bulkCreate: () => Kept.bulkCreate([where]),
    upsert: () => Kept.upsert(where),
    update: () => Kept.update({ count: 1 }, { where }),
    increment: () => Kept.increment('count', { where }),
    decrement: () => Kept.decrement('count', { where }),
    min: () => Kept.min('count'),
    max: () => Kept.max('count'),
    sum: () => Kept.sum('count'),
    query: () => sequelize.query('SELECT 1'),
  };
}

function callsOf(sequelize: Sequelize): Calls<Transaction> {
  return {
    lends: { transaction: (work) => sequelize.transaction(work) },
    sends: sendsOf(sequelize),
    harmless: (inner) => ({
      savepoint: () =>
        sequelize.transaction({ transaction: inner }, (innermost) =>
          sequelize.query('SELECT 1', { transaction: innermost }),
        ),
    }),
    begins: {
      transaction: async () => {
        const transaction = await sequelize.transaction();
        return () => transaction.commit();
      },
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
        await sequelize.query(noteOf('outer')); // expect: no-nested-checkout
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
        ]); // expect: no-concurrent-client-query
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

export const sequelize: HabitsSample = {
  module: 'sequelize',
  unawaited: 'late',
  exhausted: /Operation timeout/u,
  ended: /commit has been called on this transaction/u,
  open,
};
