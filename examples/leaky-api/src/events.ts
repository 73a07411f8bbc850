import type { Pool } from 'pg';

/** Logs every order that another process announces. */
export async function subscribeToOrders(pool: Pool): Promise<void> {
  pool.on('connect', (client) => {
    client.on('notification', ({ payload }) => {
      console.log('order event:', payload);
    });
  });
  await pool.query('LISTEN order_events'); // expect: no-session-state
}
