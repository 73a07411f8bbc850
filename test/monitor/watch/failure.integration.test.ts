import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Report } from '../../../monitor/report.ts';
import { createMonitor } from '../../../monitor/watch/monitor.ts';
import { createFreshDatabase, type FreshDatabase } from '../../support/fresh-database.ts';

let database: FreshDatabase;

beforeAll(async () => {
  database = await createFreshDatabase();
});

afterAll(() => database.drop());

test('a failure of the monitor is said once, and the application goes on', async () => {
  const kinds: Report['kind'][] = [];
  const said: string[] = [];
  const tell = ({ kind }: Report) => {
    kinds.push(kind);
    if (kind === 'returned') throw new Error('no more room');
  };
  const monitor = createMonitor(
    {},
    () => [{ tell, stop: () => undefined }],
    (line) => said.push(line),
  );
  const pool = new pg.Pool({ connectionString: database.url });
  monitor.watch(pool, { heldMs: 10, sampleMs: 5 }, null);
  const client = await pool.connect();
  await expect.poll(() => kinds).toContain('held');
  client.release();
  expect(said).toEqual([
    '[poolguard] The monitor failed and has stopped; the application is not affected. Error: no more room',
  ]);
  const before = kinds.length;
  expect((await pool.query<{ one: number }>('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  expect(() => client.release()).toThrow('already been released');
  await pool.end();
  expect([kinds.at(-1), kinds.length, said.length]).toEqual(['broken', before, 1]);
});
