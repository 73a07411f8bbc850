// A small service with a load of its own and the mistakes that a monitor tells of: clients that are held too long and then destroyed, released
// twice, given back in an open transaction, and short-lived pools. Its parent sends the connection string, and ends it by closing the channel.
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

const [url] = await new Promise((resolve) => process.once('message', (text) => resolve([text])));
const ignore = () => undefined;
const pool = new pg.Pool({
  connectionString: url,
  max: 6,
  application_name: 'soak-app',
  idleTimeoutMillis: 1_000,
});
pool.on('error', ignore);

async function serve() {
  for (;;) {
    await pool.query('SELECT pg_sleep(0.002)').catch(ignore);
    await pause(5);
  }
}

/** Longer than `POOLGUARD_HELD_MS`, then destroyed, as a caller does that times out. */
async function holdTooLong() {
  for (;;) {
    const client = await pool.connect();
    await pause(1_500);
    client.release(true);
  }
}

async function makeMistakes() {
  for (;;) {
    const client = await pool.connect();
    await client.query('BEGIN').catch(ignore);
    client.release();
    try {
      client.release();
    } catch {
      // This is the mistake.
    }
    await pool.query('ROLLBACK').catch(ignore);
    await pause(50);
  }
}

async function makePools() {
  for (;;) {
    const short = new pg.Pool({
      connectionString: url,
      max: 2,
      application_name: 'soak-app-short',
    });
    short.on('error', ignore);
    await Promise.all([short.query('SELECT 1'), short.query('SELECT 2')]).catch(ignore);
    await short.end();
    await pause(500);
  }
}

process.once('disconnect', () => process.exit());
process.send('ready');
await Promise.all([serve(), serve(), serve(), holdTooLong(), makeMistakes(), makePools()]);
