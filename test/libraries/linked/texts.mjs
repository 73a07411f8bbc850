import connect, { sql as statement } from '@databases/pg';
import pgPromise from 'pg-promise';
import postgres from 'postgres';
import { createPool, sql as tag } from 'slonik';

export async function open(url) {
  const sql = postgres(url, { max: 1 });
  const db = pgPromise()({ connectionString: url, max: 1 });
  const pool = await createPool(url, { maximumPoolSize: 1, resetConnection: async () => {} });
  const databases = connect({ connectionString: url, poolSize: 1, bigIntMode: 'string' });
  return {
    end: () => Promise.all([sql.end(), db.$pool.end(), pool.end(), databases.dispose()]),
    postgres: () => sql`SELECT id AS postgres FROM users WHERE id = ${1}`, // template
    unsafe: () => sql.unsafe('SELECT id AS unsafe FROM users WHERE id = 1'), // exact
    promise: () => db.any('SELECT id AS promise FROM users WHERE id = $<id>', { id: 1 }), // template
    slonik: () => pool.any(tag.unsafe`SELECT id AS slonik FROM users WHERE id = ${1}`), // template
    databases: () => databases.query(statement`SELECT id AS databases FROM users WHERE id = ${1}`), // template
  };
}
