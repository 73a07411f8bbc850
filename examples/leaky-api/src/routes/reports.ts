import { Router } from 'express';
import { pool } from '../db.ts';

/** Any number that the other users of advisory locks in this database leave alone. */
const REBUILD_LOCK = 7_301;

export const reports = Router();

reports.get('/top-customers', async (_request, response) => {
  await pool.query("SET statement_timeout = '5s'"); // expect: no-session-state
  const { rows } = await pool.query(`
    SELECT users.id, users.name, sum(orders.total) AS total
    FROM users JOIN orders ON orders.user_id = users.id
    GROUP BY users.id ORDER BY total DESC, users.id LIMIT 10
  `);
  response.json(rows);
});

reports.get('/sales', async (_request, response) => {
  const client = await pool.connect();
  try {
    await client.query("CREATE TEMP TABLE paid_orders AS SELECT * FROM orders WHERE status = 'paid'"); // expect: no-session-state
    const { rows } = await client.query('SELECT count(*)::int AS orders, sum(total) AS total FROM paid_orders');
    response.json(rows[0]);
  } finally {
    client.release();
  }
});

reports.get('/tenants/:tenant', async (request, response) => {
  const client = await pool.connect();
  try {
    await client.query("SELECT set_config('app.tenant', $1, false)", [request.params.tenant]); // expect: no-session-state
    const { rows } = await client.query("SELECT count(*)::int AS users FROM users WHERE tenant = current_setting('app.tenant')");
    response.json(rows[0]);
  } finally {
    client.release();
  }
});

reports.post('/rebuild', async (_request, response) => {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [REBUILD_LOCK]); // expect: no-session-state
    if (rows[0]?.locked !== true) {
      response.status(409).json({ error: 'a rebuild is already running' });
      return;
    }
    await client.query('ANALYZE orders');
    response.json({ rebuilt: true });
  } finally {
    client.release();
  }
});
