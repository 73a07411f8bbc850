import { Sequelize } from '@sequelize/core';
import { PostgresDialect } from '@sequelize/postgres';
import { act } from './act.cjs';

// prettier-ignore
const sequelize = new Sequelize({ // made
  dialect: PostgresDialect,
  url: process.env.DATABASE_URL,
  application_name: 'shop',
  pool: { max: 2 },
});

act({
  leak: async function leak() {
    const transaction = await sequelize.startUnmanagedTransaction(); // leak
    await sequelize.query('SELECT 1', { transaction });
  },
  lend: async function lend(work) {
    // prettier-ignore
    await sequelize.transaction(async () => { // lend
      await sequelize.query('SELECT 1');
      await work();
    });
  },
  query: async function query(seconds) {
    await sequelize.query('SELECT pg_sleep(?)', { replacements: [seconds] }); // query
  },
  end: () => sequelize.close(),
});
