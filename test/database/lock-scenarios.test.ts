import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { countWaiters, findBlocking, type BlockingNode } from '../../src/activity/blocking.ts';
import type { ActivityReport } from '../../src/activity/snapshot.ts';
import { lookOnce, sessionOf } from '../support/activity-watch.ts';
import { createApplicationClients } from '../support/application-clients.ts';
import { createDatabaseWatch, type DatabaseWatch } from '../support/database-watch.ts';
import { createFreshDatabase, type FreshDatabase } from '../support/fresh-database.ts';

let database: FreshDatabase;
let watch: DatabaseWatch;
const clients = createApplicationClients(() => database.url);

beforeAll(async () => {
  database = await createFreshDatabase();
  watch = await createDatabaseWatch(database);
  const owner = await clients.connect('owner');
  await owner.query(
    'CREATE TABLE orders (id int PRIMARY KEY, state text); INSERT INTO orders SELECT g FROM generate_series(1, 9) g',
  );
  await clients.endAll();
});

afterEach(() => clients.endAll());

afterAll(async () => {
  await watch.close();
  await database.drop();
});

const update = (id: number) => `UPDATE orders SET state = 'paid' WHERE id = ${id}`;

/** An application that holds a row and, when told, waits for another one. */
async function holder(name: string, id: number) {
  const client = await clients.connect(name);
  await client.query('BEGIN');
  await client.query(update(id));
  return {
    client,
    async waitFor(other: number) {
      const waiting = client.query(update(other)).catch((error: unknown) => error);
      await watch.until(`application_name = '${name}' AND wait_event_type = 'Lock'`);
      return waiting;
    },
  };
}

/** The tree with application names in place of process ids, as far as it lies in this database. */
function treeOf(report: ActivityReport): readonly string[] {
  const mine = report.sessions.filter((session) => session.database === database.name);
  const names = new Map(mine.map(({ pid, application }) => [pid, application]));
  const lines = (node: BlockingNode, depth: number): string[] => [
    `${'  '.repeat(depth)}${names.get(node.pid)}${node.isCycle ? ' again' : ''}`,
    ...node.waiters.flatMap((waiter) => lines(waiter, depth + 1)),
  ];
  return findBlocking(mine).flatMap((root) => lines(root, 0));
}

test('a chain of three: the root holds up two, one of them through the other', async () => {
  const first = await holder('first', 1);
  const second = await holder('second', 2);
  const third = await holder('third', 3);
  const answers = [second.waitFor(1)];
  await watch.until(`application_name = 'second' AND wait_event_type = 'Lock'`);
  answers.push(third.waitFor(2));
  await watch.until(`application_name = 'third' AND wait_event_type = 'Lock'`);
  const report = await lookOnce(database.url);
  expect(treeOf(report)).toEqual(['first', '  second', '    third']);
  expect(sessionOf(report, 'first')).toMatchObject({
    state: 'idle in transaction',
    isWaiting: false,
    blockedBy: [],
  });
  expect(findBlocking(report.sessions).map(countWaiters)).toContain(2);
  await first.client.query('COMMIT');
  await answers[0];
  await second.client.query('COMMIT');
  await answers[1];
});

test('a queue on one row: everybody waits for the one that holds it', async () => {
  const first = await holder('first', 1);
  const queue = await Promise.all(['b', 'c', 'd'].map((name) => clients.connect(name)));
  const answers = queue.map((client) => client.query(update(1)));
  await watch.until(
    `(SELECT count(*) FROM pg_stat_activity WHERE datname = '${database.name}' AND wait_event_type = 'Lock') = 3`,
  );
  const report = await lookOnce(database.url);
  const [root] = findBlocking(
    report.sessions.filter((session) => session.database === database.name),
  );
  expect(root).toMatchObject({ pid: sessionOf(report, 'first').pid });
  expect(root === undefined ? 0 : countWaiters(root)).toBe(3);
  expect(report.headroom.split.waiting).toBeGreaterThanOrEqual(3);
  await first.client.query('COMMIT');
  await Promise.all(answers);
});

test('a deadlock that the server has not broken yet is a ring', async () => {
  const first = await holder('first', 1);
  const second = await holder('second', 2);
  // Before the wait, so that the server looks for deadlocks long after this test has looked.
  await first.client.query("SET LOCAL deadlock_timeout = '60s'");
  await second.client.query("SET LOCAL deadlock_timeout = '60s'");
  const answers = [first.client.query(update(2)), second.client.query(update(1))].map((answer) =>
    answer.catch(() => undefined),
  );
  await watch.until(
    `(SELECT count(*) FROM pg_stat_activity WHERE datname = '${database.name}' AND wait_event_type = 'Lock') = 2`,
  );
  const report = await lookOnce(database.url);
  expect(treeOf(report)).toHaveLength(3);
  expect(treeOf(report).at(-1)).toMatch(/ again$/);
  await (
    await clients.connect('referee')
  ).query(`SELECT pg_cancel_backend(${sessionOf(report, 'first').pid})`);
  await Promise.all(answers);
});
