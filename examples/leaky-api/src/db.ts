import { Pool } from 'pg';

export const pool = new Pool({
  connectionString: process.env['DATABASE_URL'],
  application_name: 'leaky-api',
  max: Number(process.env['POOL_MAX'] ?? 10),
  connectionTimeoutMillis: 2_000,
});

pool.on('error', (error) => {
  console.error('An idle client failed:', error.message);
});
