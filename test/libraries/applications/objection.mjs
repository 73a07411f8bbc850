import knexOf from 'knex';
import { Model } from 'objection';
import { act } from './act.cjs';

const knex = knexOf({
  client: 'pg',
  connection: { connectionString: process.env.DATABASE_URL, application_name: 'shop' },
  pool: { min: 0, max: 2 },
}); // made

class Sleep extends Model {
  static tableName = 'pg_sleep';
}
Sleep.knex(knex);

act({
  leak: async function leak() {
    const trx = await Sleep.startTransaction(); // leak
    await Sleep.knexQuery().transacting(trx).select(1).from('pg_class').limit(1);
  },
  lend: async function lend(work) {
    // prettier-ignore
    await Sleep.transaction(async (trx) => { // lend
      await trx.raw('SELECT 1');
      await work();
    });
  },
  query: async function query(seconds) {
    await Sleep.query().from(Sleep.raw('pg_sleep(?)', seconds)).select(1); // query
  },
  end: () => knex.destroy(),
});
