import { Router } from 'express';
import { pool } from '../db.ts';
import { OrderRepository } from '../repositories/order-repository.ts';

const repository = new OrderRepository(pool);

export const orders = Router();

orders.get('/:id', async (request, response) => {
  const order = await repository.find(request.params.id);
  if (order === undefined) response.status(404).json({ error: 'no such order' });
  else response.json(order);
});

orders.post('/', async (request, response) => {
  const { userId, total } = request.body as { userId: number; total: number };
  response.status(201).json(await repository.place(userId, total));
});

orders.post('/:id/cancel', async (request, response) => {
  response.json({ cancelled: await repository.cancel(request.params.id) });
});

orders.get('/:id/paid', async (request, response) => {
  response.json({ paid: await repository.waitUntilPaid(request.params.id) });
});

orders.post('/:id/ship', async (request, response) => {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ id: number; user_id: number }>('SELECT id, user_id FROM orders WHERE id = $1', [request.params.id]);
    if (rows.length === 0) {
      response.status(404).json({ error: 'no such order' });
      return;
    }
    const label = await fetch(`${process.env['CARRIER_URL']}/labels`, { method: 'POST', body: JSON.stringify(rows[0]) }); // expect: no-external-await-while-holding
    const tracking = label.headers.get('x-tracking');
    await client.query("UPDATE orders SET status = 'shipped', tracking = $2 WHERE id = $1", [request.params.id, tracking]);
    response.json({ tracking });
  } finally {
    client.release();
  }
});
