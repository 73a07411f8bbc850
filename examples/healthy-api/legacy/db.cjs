const { Pool } = require('pg');

const pool = new Pool({
  connectionString: process.env.DATABASE_URL,
  application_name: 'healthy-api',
  max: Number(process.env.POOL_MAX ?? 10),
  connectionTimeoutMillis: 2000,
});

pool.on('error', (error) => {
  console.error('An idle client failed:', error.message);
});

pool.on('connect', (client) => {
  client.on('error', (error) => {
    console.error('A client failed:', error.message);
  });
});

module.exports = pool;
