// A service with a pool, for the sweep and for the monitor: it answers when the database does, says so, and ends when it is asked to.
import { createServer } from 'node:http';
import pg from 'pg';

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  application_name: 'shop',
  max: Number(process.env.POOL_MAX ?? 4),
  connectionTimeoutMillis: 1000,
  query_timeout: 2000,
});
pool.on('error', () => undefined);
const server = createServer((_request, response) => {
  pool.query('SELECT pg_sleep(0.005)').then(
    () => response.end('{}'),
    (error) => response.writeHead(503).end(JSON.stringify({ error: error.message })),
  );
});
server.listen(Number(process.env.PORT), '127.0.0.1', () => process.stdout.write('listening\n'));
process.once('SIGTERM', () => {
  process.stdout.write('ending\n');
  server.close();
  server.closeAllConnections();
  pool.end().then(() => process.exit(0));
});
