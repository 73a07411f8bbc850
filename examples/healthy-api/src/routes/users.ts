import { Router } from 'express';
import { pool } from '../db.ts';
import { withTransaction } from '../transaction.ts';

export const users = Router();

users.get('/', async (_request, response) => {
  const { rows } = await pool.query('SELECT id, email, name FROM users ORDER BY created_at DESC, id LIMIT 100');
  response.json(rows);
});

users.get('/:id', async (request, response) => {
  const client = await pool.connect();
  try {
    const { rows } = await client.query('SELECT id, email, name FROM users WHERE id = $1', [request.params.id]);
    if (rows.length === 0) {
      response.status(404).json({ error: 'no such user' });
      return;
    }
    const orders = await client.query('SELECT id, total, status FROM orders WHERE user_id = $1', [request.params.id]);
    response.json({ ...rows[0], orders: orders.rows });
  } finally {
    client.release();
  }
});

users.post('/', async (request, response) => {
  const { email, name } = request.body as { email: string; name: string };
  const user = await withTransaction(pool, async (client) => {
    const { rows } = await client.query<{ id: number }>(
      "INSERT INTO users (email, name, tenant) VALUES ($1, $2, 'tenant-0') RETURNING id",
      [email, name],
    );
    await client.query("INSERT INTO audit (user_id, action) VALUES ($1, 'created')", [rows[0]?.id]);
    return rows[0];
  });
  response.status(201).json(user);
});
