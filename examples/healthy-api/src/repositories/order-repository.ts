import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { chargeCard } from '../services/payments.ts';

export interface Order {
  readonly id: number;
  readonly user_id: number;
  readonly total: string;
  readonly status: string;
}

export class OrderRepository {
  constructor(private readonly pool: Pool) {}

  async find(id: string): Promise<Order | undefined> {
    const { rows } = await this.pool.query<Order>('SELECT id, user_id, total, status FROM orders WHERE id = $1', [id]);
    return rows[0];
  }

  /** The order stands as pending while the provider takes its time; no client is held meanwhile. */
  async place(userId: number, total: number): Promise<Order | undefined> {
    const { rows } = await this.pool.query<{ id: number }>('INSERT INTO orders (user_id, total) VALUES ($1, $2) RETURNING id', [userId, total]);
    await chargeCard(userId, total);
    const paid = await this.pool.query<Order>(
      "UPDATE orders SET status = 'paid' WHERE id = $1 RETURNING id, user_id, total, status",
      [rows[0]?.id],
    );
    return paid.rows[0];
  }

  async cancel(id: string): Promise<boolean> {
    try {
      const { rowCount } = await this.pool.query("UPDATE orders SET status = 'cancelled' WHERE id = $1", [id]);
      return rowCount === 1;
    } catch (error) {
      console.error('The order could not be cancelled:', error instanceof Error ? error.message : error);
      return false;
    }
  }

  /** Waits up to `attempts` × 50 ms for the order to be paid, with a client only while it asks. */
  async waitUntilPaid(id: string, attempts = 3): Promise<boolean> {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const order = await this.find(id);
      if (order?.status === 'paid') return true;
      await sleep(50);
    }
    return false;
  }
}
