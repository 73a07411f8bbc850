import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedServer } from '../../../scripts/embedded-server.ts';
import { isAtWork } from '../../support/is-running.ts';
import { processTree } from './marked-processes.ts';

/** A server of one test file, which may be ended, frozen and broken. */
export interface ChaosServer extends AsyncDisposable {
  readonly port: number;
  /** The superuser's connection string for a database. */
  url(database?: string): string;
  /** Runs one statement as the superuser, over a connection of its own to the database `postgres`. Waits for a server that is just coming up. */
  ask(
    sql: string,
    values?: readonly unknown[],
  ): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Ends it as `pg_ctl stop` does in that mode, and starts it again. */
  restart(mode: 'fast' | 'immediate', awayMs: number): Promise<void>;
  /** Stops every process of it with SIGSTOP. */
  freeze(): void;
  thaw(): void;
}

const signals = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const;
/** "the database system is starting up", "… is shutting down", and a connection that such a server refuses or ends. */
const comingUp = new Set(['57P03', '57P01', '57P02', 'ECONNREFUSED', 'ECONNRESET']);

export async function startChaosServer(maxConnections: number): Promise<ChaosServer> {
  const server = await startEmbeddedServer({ maxConnections });
  const postmaster = () =>
    Number(readFileSync(join(server.directory, 'data/postmaster.pid'), 'utf8').split('\n')[0]);
  const signalAll = (signal: 'SIGSTOP' | 'SIGCONT') => {
    for (const pid of processTree(postmaster())) if (isAtWork(pid)) process.kill(pid, signal);
  };
  const askOnce: ChaosServer['ask'] = async (sql, values = []) => {
    const client = new pg.Client({
      connectionString: server.url(),
      application_name: 'chaos',
      connectionTimeoutMillis: 10_000,
    });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql, [...values])).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  const ask: ChaosServer['ask'] = async (sql, values) => {
    for (let tries = 0; ; tries += 1) {
      try {
        return await askOnce(sql, values);
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
        if (tries === 100 || !(comingUp.has(code) || /terminated unexpectedly/.test(code)))
          throw error;
        await wait(100);
      }
    }
  };
  return {
    port: server.port,
    url: (database) => server.url(database),
    ask,
    restart: async (mode, awayMs) => {
      const pid = postmaster();
      process.kill(pid, signals[mode]);
      while (isAtWork(pid)) await wait(20);
      await wait(awayMs);
      await server.startAgain();
    },
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    [Symbol.asyncDispose]: () => server.stop(),
  };
}
