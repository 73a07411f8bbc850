import { DataSource } from 'typeorm';
import { act } from './act.cjs';

const source = new DataSource({
  type: 'postgres',
  url: process.env.DATABASE_URL,
  applicationName: 'shop',
  poolSize: 2,
});
const opened = source.initialize(); // made

act({
  leak: async function leak() {
    const runner = source.createQueryRunner();
    await runner.connect(); // leak
    await runner.query('SELECT 1');
  },
  lend: async function lend(work) {
    // prettier-ignore
    await source.transaction(async (manager) => { // lend
      await manager.query('SELECT 1');
      await work();
    });
  },
  query: async function query(seconds) {
    await opened;
    await source.query('SELECT pg_sleep($1)', [seconds]); // query
  },
  end: () => source.destroy(),
});
