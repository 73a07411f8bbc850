import type { AddressInfo } from 'node:net';
import legacyPool from '../legacy/db.cjs';
import { createApp } from './app.ts';
import { pool } from './db.ts';
import { subscribeToOrders } from './events.ts';
import { createSchema } from './schema.ts';
import { startStandIn } from './services/stand-in.ts';

await createSchema(pool);
await subscribeToOrders(pool);

const standIn = await startStandIn(Number(process.env['STAND_IN_DELAY_MS'] ?? 150));
process.env['PAYMENTS_URL'] ??= standIn.url;
process.env['CARRIER_URL'] ??= standIn.url;

const server = createApp().listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', () => {
  console.log(`leaky-api listens on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

async function shutDown(): Promise<void> {
  // pool.end() waits for every client that is still out; a leaked one never comes.
  setTimeout(() => process.exit(1), 3_000).unref();
  server.close();
  server.closeIdleConnections();
  standIn.server.close();
  await Promise.all([pool.end(), legacyPool.end()]);
  process.exit(0);
}

process.once('SIGTERM', () => void shutDown());
process.once('SIGINT', () => void shutDown());
