import { describe } from 'vitest';
import { checkRule, withHeader } from '../../support/marked.ts';

describe('@neondatabase/serverless', () => {
  checkRule(
    'no-unreleased-client',
    withHeader(
      "import { Pool, neon, type PoolClient } from '@neondatabase/serverless';\nconst pool = new Pool({ connectionString: process.env.DATABASE_URL });",
      [
        {
          name: 'a client that is lost where a statement fails',
          code: `
export async function all() {
  const client: PoolClient = await pool.connect();
  //                               ^^^^^^^^^^^^^^ notReleasedOnThrow
  const { rows } = await client.query('SELECT 1');
  client.release();
  return rows;
}`,
        },
        {
          name: 'queries by HTTP lend nothing',
          code: `
const sql = neon(process.env.DATABASE_URL);
export async function all(id: number) {
  const rows = await sql\`SELECT * FROM users WHERE id = \${id}\`;
  const more = await sql.query('SELECT 1');
  await sql.transaction([sql\`SELECT 1\`]);
  return [rows, more];
}`,
        },
      ],
    ),
  );
});

const vercel =
  "import { createPool, createClient, db, sql } from '@vercel/postgres';\nconst pool = createPool();";

describe('@vercel/postgres', () => {
  checkRule(
    'no-unreleased-client',
    withHeader(vercel, [
      {
        name: 'of a pool, of `db`, of `sql`',
        code: `
export async function one() {
  const client = await pool.connect();
  //                   ^^^^^^^^^^^^^^ notReleasedOnThrow
  await client.sql\`SELECT 1\`;
  client.release();
}
export async function two() {
  const client = await db.connect();
  //                   ^^^^^^^^^^^^ neverReleased
  await client.sql\`SELECT 1\`;
}
export async function three() {
  const client = await sql.connect();
  //                   ^^^^^^^^^^^^^ neverReleased
  return await client.query('SELECT 1');
}`,
      },
      {
        name: 'a client of its own, and a client released in a finally',
        code: `
export async function one() {
  const client = createClient();
  await client.connect();
  try {
    return await client.sql\`SELECT 1\`;
  } finally {
    await client.end();
  }
}
export async function two() {
  const client = await db.connect();
  try {
    return await client.sql\`SELECT 1\`;
  } finally {
    client.release();
  }
}`,
      },
    ]),
  );
  checkRule(
    'no-nested-checkout',
    withHeader(vercel, [
      {
        name: '`db` and `sql` are one pool; a template of the pool goes by HTTP',
        code: `
export async function save() {
  const client = await db.connect();
  try {
    await sql.query('SELECT 1');
    //    ^^^^^^^^^^^^^^^^^^^^^ query
    await sql\`SELECT 1\`;
    await pool.query('SELECT 1');
    await client.sql\`SELECT 1\`;
  } finally {
    client.release();
  }
}`,
      },
    ]),
  );
  checkRule(
    'no-session-state',
    withHeader(vercel, [
      {
        name: 'a setting that stays on the connection',
        code: `
export async function save() {
  await sql.query("SET search_path TO tenant");
  //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ onPool
}`,
      },
    ]),
  );
});
