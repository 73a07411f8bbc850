import { eq, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import pg from 'pg';

const people = pgTable('users', { id: integer(), name: text() });
const orders = pgTable('orders', { id: integer(), user: integer() });

export function open(url) {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const db = drizzle(pool);
  return {
    end: () => pool.end(),
    select: () => db.select().from(people).where(eq(people.id, 1)), // table
    join: () =>
      db.select({ id: orders.id }).from(orders).innerJoin(people, eq(people.id, orders.user)), // table
    insert: () => db.insert(people).values({ id: 1, name: 'x' }), // table
    update: () => db.update(people).set({ name: 'x' }).where(eq(people.id, 1)), // table
    remove: () => db.delete(people).where(eq(people.id, 1)), // table
    execute: () => db.execute(sql`SELECT name FROM users WHERE id = ${1}`), // template
  };
}
