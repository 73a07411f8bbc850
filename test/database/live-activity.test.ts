import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/activity/clock.ts';
import { defaultThresholds } from '../../src/activity/thresholds.ts';
import { createActivitySource } from '../../src/database/read-activity.ts';
import { endThrough } from '../../src/database/end-through.ts';
import { LiveActivity } from '../../src/editor/activity/live-activity.ts';
import { accessTo } from '../support/access-to.ts';
import { createFreshDatabase, type FreshDatabase } from '../support/fresh-database.ts';

let database: FreshDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createFreshDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

/** Sessions of the database that bear our name, as the server counts them. */
async function ourSessions(): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int FROM pg_stat_activity WHERE application_name = 'poolguard' AND datname = current_database()`,
  );
  return rows[0]?.count ?? NaN;
}

test('connects that overlap leave one session at the server, and Disconnect none', async () => {
  let opened = 0;
  const live = new LiveActivity({
    createSource: ({ target, secret }, onOpen) =>
      createActivitySource(target, secret, {
        onOpen: (session) => {
          opened += 1;
          onOpen(session);
        },
      }),
    endSession: endThrough,
    clock: systemClock,
    intervalSeconds: 1,
    thresholds: defaultThresholds,
    code: () => undefined,
    onChange: () => undefined,
    onError: () => undefined,
    onRefused: () => undefined,
  });
  live.setWatched(true);
  live.connect(accessTo(database.url));
  live.connect(accessTo(database.url));
  await expect.poll(() => live.connectionState()?.kind).toBe('live');
  await expect.poll(ourSessions).toBe(1);
  // One is open, one on its way.
  live.connect(accessTo(database.url));
  live.connect(accessTo(database.url));
  await expect.poll(() => live.connectionState()?.kind).toBe('live');
  await expect.poll(ourSessions).toBe(1);
  live.connect(accessTo(database.url));
  await live.disconnect();
  await expect.poll(ourSessions).toBe(0);
  expect(opened).toBeGreaterThanOrEqual(2);
  expect(live.connectionState()).toBeUndefined();
});
