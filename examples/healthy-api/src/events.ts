import { Client } from 'pg';

/** Logs every order that another process announces, on a connection of its own: it stays for the life of the process. */
export async function subscribeToOrders(): Promise<Client> {
  const client = new Client({ connectionString: process.env['DATABASE_URL'], application_name: 'healthy-api events' });
  client.on('error', (error) => {
    console.error('The subscription failed:', error.message);
  });
  client.on('notification', ({ payload }) => {
    console.log('order event:', payload);
  });
  await client.connect();
  await client.query('LISTEN order_events');
  return client;
}
