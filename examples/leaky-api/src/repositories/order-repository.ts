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
    const client = await this.pool.connect(); // expect: no-unreleased-client
    const { rows } = await client.query<Order>('SELECT id, user_id, total, status FROM orders WHERE id = $1', [id]);
    client.release();
    return rows[0];
  }

  async place(userId: number, total: number): Promise<Order | undefined> {
    const client = await this.pool.connect();
    try {
      await client.query('BEGIN');
      const { rows } = await client.query<Order>(
        "INSERT INTO orders (user_id, total) VALUES ($1, $2) RETURNING id, user_id, total, 'paid' AS status",
        [userId, total],
      );
      await chargeCard(userId, total); // expect: no-external-await-while-holding
      await client.query("UPDATE orders SET status = 'paid' WHERE id = $1", [rows[0]?.id]);
      await client.query('COMMIT');
      return rows[0];
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    } finally {
      client.release();
    }
  }

  async cancel(id: string): Promise<boolean> {
    const client = await this.pool.connect(); // expect: no-unreleased-client
    try {
      await client.query('BEGIN');
      const { rowCount } = await client.query("UPDATE orders SET status = 'cancelled' WHERE id = $1", [id]);
      await client.query('COMMIT');
      client.release();
      return rowCount === 1;
    } catch (error) {
      console.error('The order could not be cancelled:', error instanceof Error ? error.message : error);
      return false;
    }
  }

  /** Waits up to `attempts` × 50 ms for the order to be paid. */
  async waitUntilPaid(id: string, attempts = 3): Promise<boolean> {
    const client = await this.pool.connect();
    try {
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        const { rows } = await client.query<Order>('SELECT status FROM orders WHERE id = $1', [id]);
        if (rows[0]?.status === 'paid') return true;
        await sleep(50); // expect: no-external-await-while-holding
      }
      return false;
    } finally {
      client.release();
    }
  }
}
