/** A leak as people write it: the client is lost when the first query throws, and comes back otherwise. */
export const sample = `import { Pool } from 'pg';

const pool = new Pool({ max: 10, connectionTimeoutMillis: 2_000 });
pool.on('error', (error) => console.error('idle client', error));

export async function placeOrder(customer: number) {
  const client = await pool.connect();
  await client.query('INSERT INTO orders (customer) VALUES ($1)', [customer]);
  client.release();
}

// When the INSERT throws, the client never comes back: ten such requests, and the service waits for ever.
// Put the cursor on the underlined checkout and press Ctrl+. (Cmd+. on a Mac) for the fix.
`;
