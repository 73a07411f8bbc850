import { expect, test } from 'vitest';
import { startEmbeddedServer } from '../../scripts/embedded-server.ts';
import { findConcerns } from '../../src/activity/concern.ts';
import { groupByPool } from '../../src/activity/group-by-pool.ts';
import { lookOnce } from '../support/activity-watch.ts';
import { createApplicationClients } from '../support/application-clients.ts';

test('300 idle sessions: one pool, counted, and how little room is left', async () => {
  const server = await startEmbeddedServer({ maxConnections: 330, inMemory: true });
  const clients = createApplicationClients(() => server.url());
  await clients.connectMany('orders-api', 300);
  const report = await lookOnce(server.url());
  await clients.endAll();
  await server.stop();
  expect(report.headroom).toMatchObject({
    used: 301,
    usable: 327,
    free: 26,
    split: { idle: 300, own: 1, active: 0 },
  });
  expect(groupByPool(report).map(({ application, count }) => [application, count])).toEqual([
    ['orders-api', 300],
    ['poolguard', 1],
  ]);
  expect(findConcerns(report).map(({ severity, sentence }) => [severity, sentence])).toEqual([
    ['critical', '301 of 327 usable connections are taken (92 %): 26 left.'],
  ]);
});
