import { describe } from 'vitest';
import { checkRule, withHeader } from '../../support/marked.ts';

const header =
  "import mysql from 'mysql2/promise';\nconst pool = mysql.createPool({ uri: process.env.DATABASE_URL });";

describe('no-unreleased-client', () => {
  checkRule(
    'no-unreleased-client',
    withHeader(header, [
      {
        name: 'never released',
        code: `
export async function count() {
  const conn = await pool.getConnection();
  //                 ^^^^^^^^^^^^^^^^^^^^ neverReleased
  const [rows] = await conn.query('SELECT 1');
  return rows;
}`,
      },
      {
        name: 'lost where a statement fails',
        code: `
export async function rename(id: number, name: string) {
  const conn = await pool.getConnection();
  //                 ^^^^^^^^^^^^^^^^^^^^ notReleasedOnThrow
  await conn.execute('UPDATE users SET name = ? WHERE id = ?', [name, id]);
  conn.release();
}`,
      },
      {
        name: 'lost by an early return inside of a transaction',
        code: `
export async function take(id: number) {
  const conn = await pool.getConnection();
  //                 ^^^^^^^^^^^^^^^^^^^^ notReleasedOnSomePath
  try {
    await conn.beginTransaction();
    const [rows] = await conn.query('SELECT * FROM items WHERE id = ? FOR UPDATE', [id]);
    if (rows.length === 0) return null;
    await conn.commit();
    conn.release();
    return rows[0];
  } catch (error) {
    await conn.rollback();
    conn.release();
    throw error;
  }
}`,
      },
      {
        name: 'lost between the checkout and the try',
        code: `
export async function pay(order, total) {
  const conn = await pool.getConnection();
  //                 ^^^^^^^^^^^^^^^^^^^^ notReleasedOnThrow
  if (!total) throw new Error('nothing to pay');
  try {
    await conn.execute('INSERT INTO payments VALUES (?, ?)', [order, total]);
  } finally {
    conn.release();
  }
}`,
      },
      {
        name: 'of a typed pool that is injected',
        header: "import type { Pool, PoolConnection } from 'mysql2/promise';\n",
        code: `
export class Users {
  constructor(private readonly pool: Pool) {}
  async all() {
    const conn: PoolConnection = await this.pool.getConnection();
    //                                 ^^^^^^^^^^^^^^^^^^^^^^^^^ notReleasedOnThrow
    const [rows] = await conn.query('SELECT * FROM users');
    conn.release();
    return rows;
  }
}`,
      },
      {
        name: 'of a pool of another file',
        header: "import pool from './db.js';\n",
        files: {
          'db.ts': "import mysql from 'mysql2/promise';\nexport default mysql.createPool({});",
        },
        code: `
export async function all() {
  const conn = await pool.getConnection();
  //                 ^^^^^^^^^^^^^^^^^^^^ notReleasedOnThrow
  const [rows] = await conn.query('SELECT * FROM users');
  conn.release();
  return rows;
}`,
      },
      {
        name: 'that a getter gives',
        code: `
async function getConnection() {
  return await pool.getConnection();
}
export async function all() {
  const conn = await getConnection();
  //                 ^^^^^^^^^^^^^^^ notReleasedOnThrow
  const [rows] = await conn.query('SELECT * FROM users');
  conn.release();
  return rows;
}`,
      },
      {
        name: 'released in a finally',
        code: `
export async function all() {
  const conn = await pool.getConnection();
  try {
    const [rows] = await conn.query('SELECT * FROM users');
    return rows;
  } finally {
    conn.release();
  }
}`,
      },
      {
        name: 'declared first, released if it was got',
        code: `
export async function all(res) {
  let connection;
  try {
    connection = await pool.getConnection();
    const [rows] = await connection.execute('SELECT * FROM users');
    res.json(rows);
  } catch (error) {
    res.status(500).end();
  } finally {
    if (connection) connection.release();
  }
}`,
      },
      {
        name: 'BEGIN and ROLLBACK fail only where the connection is broken, and that leaves the pool by itself',
        code: `
export async function move(from: number, to: number) {
  const conn = await pool.getConnection();
  await conn.beginTransaction();
  try {
    await conn.execute('UPDATE accounts SET total = total - 1 WHERE id = ?', [from]);
    await conn.execute('UPDATE accounts SET total = total + 1 WHERE id = ?', [to]);
    await conn.commit();
    conn.release();
  } catch (error) {
    await conn.rollback();
    conn.release();
    throw error;
  }
}`,
      },
      {
        name: 'a COMMIT fails for what it does, too',
        code: `
export async function move(from: number) {
  const conn = await pool.getConnection();
  //                 ^^^^^^^^^^^^^^^^^^^^ notReleasedOnThrow
  await conn.beginTransaction();
  await conn.commit();
  conn.release();
}`,
      },
      {
        name: 'closed instead of released',
        code: `
export async function ping() {
  const conn = await pool.getConnection();
  try {
    await conn.ping();
    conn.release();
  } catch {
    conn.destroy();
  }
}`,
      },
      {
        name: 'given back by the pool',
        code: `
export async function all() {
  const conn = await pool.getConnection();
  try {
    return (await conn.query('SELECT * FROM users'))[0];
  } finally {
    pool.releaseConnection(conn);
  }
}`,
      },
      {
        name: 'given back by the pool, but not on every path',
        code: `
export async function all() {
  const conn = await pool.getConnection();
  //                 ^^^^^^^^^^^^^^^^^^^^ notReleasedOnThrow
  const [rows] = await conn.query('SELECT * FROM users');
  pool.releaseConnection(conn);
  return rows;
}`,
      },
      {
        name: 'a helper that rolls back and releases',
        code: `
async function fail(conn, error) {
  await conn.rollback();
  conn.release();
  throw error;
}
export async function move(id: number) {
  const conn = await pool.getConnection();
  try {
    await conn.beginTransaction();
    await conn.execute('DELETE FROM t WHERE id = ?', [id]);
    await conn.commit();
    conn.release();
  } catch (error) {
    await fail(conn, error);
  }
}`,
      },
      {
        name: 'a cluster is not known',
        code: `
const cluster = mysql.createPoolCluster();
export async function all() {
  const conn = await cluster.getConnection('MASTER');
  const [rows] = await conn.query('SELECT 1');
  conn.release();
  return rows;
}`,
      },
      {
        name: 'a single connection is not lent',
        code: `
export async function all() {
  const conn = await mysql.createConnection({});
  const [rows] = await conn.query('SELECT 1');
  await conn.end();
  return rows;
}`,
      },
      {
        name: 'the promises of a pool with callbacks',
        header: "import mysql from 'mysql2';\nconst pool = mysql.createPool({}).promise();\n",
        code: `
export async function all() {
  const conn = await pool.getConnection();
  //                 ^^^^^^^^^^^^^^^^^^^^ notReleasedOnThrow
  const [rows] = await conn.query('SELECT 1');
  conn.release();
  return rows;
}`,
      },
    ]),
  );
});

describe('no-double-release', () => {
  checkRule(
    'no-double-release',
    withHeader(header, [
      {
        name: 'in the handler and in the finally',
        code: `
export async function all() {
  const conn = await pool.getConnection();
  try {
    return await conn.query('SELECT 1');
  } catch (error) {
    conn.release();
    throw error;
  } finally {
    conn.release();
  //^^^^^^^^^^^^^^ releasedAgain
  }
}`,
      },
      {
        name: 'a release behind destroy does nothing',
        code: `
export async function all() {
  const conn = await pool.getConnection();
  try {
    return await conn.query('SELECT 1');
  } catch (error) {
    conn.destroy();
    throw error;
  } finally {
    conn.release();
  }
}`,
      },
    ]),
  );
});

describe('no-use-after-release', () => {
  checkRule(
    'no-use-after-release',
    withHeader(header, [
      {
        name: 'a statement and a COMMIT behind the release',
        code: `
export async function save(id: number) {
  const conn = await pool.getConnection();
  await conn.beginTransaction();
  conn.release();
  await conn.execute('DELETE FROM t WHERE id = ?', [id]);
  //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ used
  await conn.commit();
  //    ^^^^^^^^^^^^^ used
}`,
      },
      {
        name: 'a query that is returned unsettled',
        code: `
export async function all() {
  const conn = await pool.getConnection();
  try {
    return conn.execute('SELECT 1');
    //     ^^^^^^^^^^^^^^^^^^^^^^^^ returnedUnsettled
  } finally {
    conn.release();
  }
}`,
      },
      {
        name: 'rolled back before it comes back',
        code: `
export async function save(id: number) {
  const conn = await pool.getConnection();
  try {
    await conn.beginTransaction();
    await conn.execute('DELETE FROM t WHERE id = ?', [id]);
    await conn.commit();
  } catch (error) {
    await conn.rollback();
    throw error;
  } finally {
    conn.release();
  }
}`,
      },
    ]),
  );
});

describe('no-nested-checkout', () => {
  checkRule(
    'no-nested-checkout',
    withHeader(header, [
      {
        name: 'a query and an execute of the pool while a client of it is held',
        code: `
export async function save(id: number) {
  const conn = await pool.getConnection();
  try {
    const [users] = await pool.query('SELECT * FROM users WHERE id = ?', [id]);
    //                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ query
    await pool.execute('DELETE FROM t WHERE id = ?', [users[0].id]);
    //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ query
    const other = await pool.getConnection();
    //                  ^^^^^^^^^^^^^^^^^^^^ checkout
    other.release();
  } finally {
    conn.release();
  }
}`,
      },
      {
        name: 'by way of a helper',
        code: `
async function userOf(id: number) {
  const [rows] = await pool.execute('SELECT * FROM users WHERE id = ?', [id]);
  return rows[0];
}
export async function save(id: number) {
  const conn = await pool.getConnection();
  try {
    await userOf(id);
    //    ^^^^^^^^^^ helper
  } finally {
    conn.release();
  }
}`,
      },
      {
        name: 'another pool, or after the release',
        code: `
const other = mysql.createPool({});
export async function save(id: number) {
  const conn = await pool.getConnection();
  try {
    await conn.query('SELECT 1');
    await other.query('SELECT 1');
  } finally {
    conn.release();
  }
  await pool.query('SELECT 1');
}`,
      },
    ]),
  );
});

describe('no-external-await-while-holding', () => {
  checkRule(
    'no-external-await-while-holding',
    withHeader(header, [
      {
        name: 'with and without a transaction',
        code: `
export async function notify(id: number) {
  const conn = await pool.getConnection();
  try {
    await fetch('https://example.com/before');
  //^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ held
    await conn.beginTransaction();
    await fetch('https://example.com/inside');
  //^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ heldInTransaction
    await conn.commit();
  } finally {
    conn.release();
  }
  await fetch('https://example.com/after');
}`,
      },
    ]),
  );
});

describe('what PostgreSQL keeps for a session', () => {
  checkRule(
    'no-session-state',
    withHeader(header, [
      {
        name: 'is not said of MySQL',
        settings: { poolguard: { pooler: 'pgbouncer:transaction' } },
        code: `
import type { PoolConnection } from 'mysql2/promise';
export async function zone(conn: PoolConnection) {
  await conn.query("SET time_zone = '+00:00'");
}
export async function all() {
  await pool.query('SET NAMES utf8mb4');
  const conn = await pool.getConnection();
  try {
    await conn.query('SET SESSION group_concat_max_len = 100000');
    await conn.query('CREATE TEMPORARY TABLE t (id int)');
    await conn.query({ name: 'a', text: 'SELECT 1' });
  } finally {
    conn.release();
  }
}`,
      },
    ]),
  );
});
