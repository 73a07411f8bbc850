import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { createFreshDatabase } from '../../support/fresh-database.ts';

export interface PoolService extends AsyncDisposable {
  readonly url: string;
  /** Longest line before the pool. */
  readonly peakWaiting: () => number;
  readonly asked: () => number;
}

/** A small application: each request holds a client for 20 ms. With `failEvery`, each so many answers 503. */
export async function servePool(max: number, failEvery = Infinity): Promise<PoolService> {
  const database = await createFreshDatabase();
  const pool = new pg.Pool({ connectionString: database.url, max });
  let [peak, count] = [0, 0];
  const server = createServer((_request, response) => {
    count += 1;
    const isBad = count % failEvery === 0;
    const done = pool.query('SELECT pg_sleep(0.02)').then(
      () => response.writeHead(isBad ? 503 : 200).end('ok'),
      () => response.writeHead(500).end(),
    );
    peak = Math.max(peak, pool.waitingCount);
    void done;
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    peakWaiting: () => peak,
    asked: () => count,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      await pool.end();
      await database.drop();
    },
  };
}
