import { EntitySchema, MikroORM } from '@mikro-orm/postgresql';
import { act } from './act.cjs';

const Note = new EntitySchema({
  name: 'Note',
  properties: { id: { type: 'number', primary: true } },
});

// prettier-ignore
const opened = MikroORM.init({ // made
  clientUrl: process.env.DATABASE_URL,
  driverOptions: { connection: { application_name: 'shop' } },
  entities: [Note],
  pool: { min: 0, max: 2 },
});

act({
  leak: async function leak() {
    const em = (await opened).em.fork();
    await em.begin(); // leak
    await em.execute('SELECT 1');
  },
  lend: async function lend(work) {
    const em = (await opened).em.fork();
    // prettier-ignore
    await em.transactional(async (inner) => { // lend
      await inner.execute('SELECT 1');
      await work();
    });
  },
  query: async function query(seconds) {
    await (await opened).em.fork().execute('SELECT pg_sleep(?)', [seconds]); // query
  },
  end: async () => (await opened).close(),
});
