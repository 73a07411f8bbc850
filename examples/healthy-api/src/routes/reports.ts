import { Router } from 'express';
import { pool } from '../db.ts';
import { withTransaction } from '../transaction.ts';

/** Any number that the other users of advisory locks in this database leave alone. */
const REBUILD_LOCK = 7_301;

export const reports = Router();

reports.get('/top-customers', async (_request, response) => {
  const rows = await withTransaction(pool, async (client) => {
    await client.query("SET LOCAL statement_timeout = '5s'");
    const top = await client.query(`
      SELECT users.id, users.name, sum(orders.total) AS total
      FROM users JOIN orders ON orders.user_id = users.id
      GROUP BY users.id ORDER BY total DESC, users.id LIMIT 10
    `);
    return top.rows;
  });
  response.json(rows);
});

reports.get('/sales', async (_request, response) => {
  const { rows } = await pool.query("SELECT count(*)::int AS orders, sum(total) AS total FROM orders WHERE status = 'paid'");
  response.json(rows[0]);
});

reports.get('/tenants/:tenant', async (request, response) => {
  const count = await withTransaction(pool, async (client) => {
    await client.query("SELECT set_config('app.tenant', $1, true)", [request.params.tenant]);
    const { rows } = await client.query("SELECT count(*)::int AS users FROM users WHERE tenant = current_setting('app.tenant')");
    return rows[0];
  });
  response.json(count);
});

reports.post('/rebuild', async (_request, response) => {
  const rebuilt = await withTransaction(pool, async (client) => {
    const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS locked', [REBUILD_LOCK]);
    if (rows[0]?.locked !== true) return false;
    await client.query('ANALYZE orders');
    return true;
  });
  if (rebuilt) response.json({ rebuilt });
  else response.status(409).json({ error: 'a rebuild is already running' });
});
