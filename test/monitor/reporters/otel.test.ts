import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { metrics } from '@opentelemetry/api';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { afterEach, expect, test } from 'vitest';
import { otelReporter } from '../../../monitor/reporters/otel.ts';
import { hello, lookAt, watchedPool } from '../../support/monitor-reports.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';

afterEach(() => metrics.disable());

function reporting() {
  const said: string[] = [];
  return {
    reporter: otelReporter({
      folders: [import.meta.dirname],
      say: (sentence) => said.push(sentence),
    })(() => undefined),
    said,
  };
}

/** A real SDK whose metrics are scraped over HTTP, as Prometheus does. */
async function registerSdk() {
  const exporter = new PrometheusExporter({ preventServerStart: true });
  const provider = new MeterProvider({ readers: [exporter] });
  metrics.setGlobalMeterProvider(provider);
  const server = createServer((request, response) =>
    exporter.getMetricsRequestHandler(request, response),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    /** The samples, `name{labels} value`, without what the exporter says of itself. */
    scrape: async () =>
      (await (await fetch(`http://127.0.0.1:${port}/metrics`)).text())
        .split('\n')
        .filter((line) => line.startsWith('db_client_'))
        .map((line) => line.replace(/,?otel_scope_\w+="[^"]*"/g, '').replace('{,', '{')),
    [Symbol.asyncDispose]: async () => {
      server.close();
      await provider.shutdown();
    },
  };
}

test('a pool is scraped under the names of the semantic conventions', async () => {
  const { reporter, said } = reporting();
  await using sdk = await registerSdk();
  reporter.tell(hello);
  reporter.tell({ kind: 'pool', pool: watchedPool({ min: 2 }) });
  reporter.tell({
    kind: 'look',
    look: lookAt(1, { total: 8, idle: 3, waiting: 4, failed: 3, timedOut: 2 }),
  });
  for (const ms of [0.4, 30, 1_500]) reporter.measured?.(1, 'wait', ms);
  reporter.measured?.(1, 'hold', 70);
  reporter.measured?.(1, 'create', 7);
  const pool = 'db_client_connection_pool_name="orders"';
  const samples = await sdk.scrape();
  expect(samples).toEqual(
    expect.arrayContaining([
      `db_client_connection_count{${pool},db_client_connection_state="idle"} 3`,
      `db_client_connection_count{${pool},db_client_connection_state="used"} 5`,
      `db_client_connection_max{${pool}} 10`,
      `db_client_connection_idle_max{${pool}} 10`,
      `db_client_connection_idle_min{${pool}} 2`,
      `db_client_connection_pending_requests{${pool}} 4`,
      `db_client_connection_timeouts_total{${pool}} 2`,
      `db_client_connection_wait_time_count{${pool}} 3`,
      `db_client_connection_wait_time_bucket{${pool},le="0.001"} 1`,
      `db_client_connection_wait_time_bucket{${pool},le="0.05"} 2`,
      `db_client_connection_wait_time_bucket{${pool},le="5"} 3`,
      `db_client_connection_use_time_sum{${pool}} 0.07`,
      `db_client_connection_create_time_sum{${pool}} 0.007`,
    ]),
  );
  reporter.tell({ kind: 'ended', pool: 1 });
  expect(
    (await sdk.scrape())
      .filter((line) => /_connection_(?:count|max|pending_requests)\{/.test(line))
      .map((line) => line.slice(-2)),
  ).toEqual([' 0', ' 0', ' 0', ' 0']);
  reporter.stop();
  expect(said).toEqual([]);
});

test('each pool has a name of its own: its address and database where nobody has named it', async () => {
  const { reporter } = reporting();
  await using sdk = await registerSdk();
  const unnamed = { applicationName: null, name: 'pool 3' };
  for (const pool of [
    watchedPool(),
    watchedPool({ id: 2 }),
    watchedPool({ id: 3, ...unnamed }),
    watchedPool({ id: 4, ...unnamed, name: 'pool 4', host: null }),
  ])
    reporter.tell({ kind: 'pool', pool });
  const names = (await sdk.scrape()).flatMap(
    (line) => /^db_client_connection_max\{.*pool_name="([^"]*)"/.exec(line)?.[1] ?? [],
  );
  expect(names).toEqual(['orders', 'orders (2)', 'localhost:5432/shop', 'pool 4']);
  reporter.tell({ kind: 'ended', pool: 1 });
  reporter.tell({ kind: 'pool', pool: watchedPool({ id: 5, max: 7 }) });
  expect(await sdk.scrape()).toContain(
    'db_client_connection_max{db_client_connection_pool_name="orders"} 7',
  );
});

test('a provider that is registered later is found, and one that takes its place', async () => {
  const { reporter } = reporting();
  reporter.tell({ kind: 'pool', pool: watchedPool() });
  reporter.measured?.(1, 'wait', 5);
  reporter.tell({ kind: 'look', look: lookAt(1) });
  for (const waiting of [1, 2]) {
    metrics.disable();
    await using sdk = await registerSdk();
    reporter.tell({ kind: 'look', look: lookAt(2, { waiting }) });
    expect(await sdk.scrape()).toContain(
      `db_client_connection_pending_requests{db_client_connection_pool_name="orders"} ${waiting}`,
    );
  }
});

test('without the API it says so once, and throws nothing', async () => {
  await using folder = await createTemporaryFolder();
  const said: string[] = [];
  const reporter = otelReporter({ folders: [folder.path], say: (sentence) => said.push(sentence) })(
    () => undefined,
  );
  reporter.tell({ kind: 'pool', pool: watchedPool() });
  reporter.tell({ kind: 'look', look: lookAt(1) });
  reporter.measured?.(1, 'wait', 1);
  reporter.stop();
  expect(said).toEqual([
    `OpenTelemetry is enabled, but @opentelemetry/api cannot be found from ${folder.path}: install it together with an SDK.`,
  ]);
});
