import { Pool } from 'pg';

export const pool = new Pool({
  connectionString: process.env['DATABASE_URL'],
  application_name: 'healthy-api',
  max: Number(process.env['POOL_MAX'] ?? 10),
  connectionTimeoutMillis: 2_000,
});

pool.on('error', (error) => {
  console.error('An idle client failed:', error.message);
});

// The pool's own handler covers idle clients only; this one covers a client while it is out.
pool.on('connect', (client) => {
  client.on('error', (error) => {
    console.error('A client failed:', error.message);
  });
});
