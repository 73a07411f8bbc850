import autocannon from 'autocannon';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadFigures } from '../../src/report/report-input.ts';
import type { ExampleApp } from './example-app.ts';

export interface LoadPlan {
  readonly seconds: number;
  readonly callers: number;
  readonly poolMax: number;
}

/** A caller gives up after this many seconds; starved requests fail earlier, by the pool's own timeout. */
const timeoutSeconds = 10;
const headers = { 'content-type': 'application/json' };

/** One round of ordinary traffic; two of its requests in a hundred take an unhappy path. */
const round: readonly autocannon.Request[] = [
  ...repeat<autocannon.Request>(9, [
    { path: '/users' },
    { path: '/users/7' },
    { path: '/orders/12' },
    { method: 'POST', path: '/orders', headers, body: JSON.stringify({ userId: 7, total: 12 }) },
    { path: '/users/8' },
    { path: '/orders/15/paid' },
    { path: '/legacy/invoices/12' },
    { path: '/reports/tenants/tenant-1' },
    { path: '/users/9' },
    { path: '/orders/13' },
    { path: '/legacy/audit/7' },
  ]),
  { path: '/users/999999' },
  { method: 'POST', path: '/orders/abc/cancel', headers },
];

/**
 * Sends the same mix of requests to the service for `seconds`, each caller waiting for its answer before it asks again,
 * and starting at another place of the round.
 */
export async function runLoad(
  app: ExampleApp,
  { seconds, callers, poolMax }: LoadPlan,
  signal: AbortSignal,
): Promise<LoadFigures> {
  let caller = 0;
  const running = autocannon({
    url: app.url,
    duration: seconds,
    connections: callers,
    timeout: timeoutSeconds,
    setupClient: (client) =>
      client.setRequests(rotate(round, Math.floor((caller++ * round.length) / callers))),
  });
  const stop = () => void (running as unknown as autocannon.Instance).stop();
  signal.addEventListener('abort', stop, { once: true });
  const result = await running;
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  return toFigures(app.name, result, { callers, poolMax, lostClients: await lostClients(app) });
}

type Known = Pick<LoadFigures, 'callers' | 'poolMax' | 'lostClients'>;

/** An answer below 500 is what a correct service gives to these requests: 404 for an unknown user, 400 for an id that is no number. */
function toFigures(name: string, result: autocannon.Result, known: Known): LoadFigures {
  const answered = result['2xx'] + result['4xx'];
  const failed = result['5xx'] + result.errors;
  return {
    name,
    ...known,
    seconds: result.duration,
    requests: answered + failed,
    answered,
    failed,
    throughput: answered / result.duration,
    averageMs: result.latency.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
  };
}

interface Counts {
  readonly totalCount: number;
  readonly idleCount: number;
}

/** Requests that were still running when the load ended have this long to give their clients back. */
const graceMs = 3_000;

/** Clients that stay out although nobody asks for anything any more. */
async function lostClients(app: ExampleApp): Promise<number> {
  const deadline = performance.now() + graceMs;
  let out = await checkedOut(app);
  while (out > 0 && performance.now() < deadline) {
    await sleep(100);
    out = await checkedOut(app);
  }
  return out;
}

async function checkedOut({ url }: ExampleApp): Promise<number> {
  const response = await fetch(`${url}/health`);
  const { pool } = (await response.json()) as { pool: Counts };
  return pool.totalCount - pool.idleCount;
}

function rotate<T>(items: readonly T[], by: number): T[] {
  return [...items.slice(by), ...items.slice(0, by)];
}

function repeat<T>(times: number, items: readonly T[]): readonly T[] {
  return Array.from({ length: times }, () => items).flat();
}
