import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';

export function open(url) {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const db = new Kysely({ dialect: new PostgresDialect({ pool }) });
  return {
    end: () => db.destroy(),
    select: () => db.selectFrom('users as u').selectAll().where('u.id', '=', 1).execute(), // table
    insert: () => db.insertInto('users').values({ id: 1, name: 'x' }).execute(), // table
    update: () => db.updateTable('public.users').set({ name: 'x' }).execute(), // table
    remove: () => db.deleteFrom('users').where('id', '=', 1).executeTakeFirst(), // table
    either: () => db.selectFrom('orders').select('id').execute(), // table either other
    other: () => db.selectFrom('orders').select('user').execute(), // table either other
    sql: () => sql`SELECT name FROM users WHERE id = ${1}`.execute(db), // template
  };
}
