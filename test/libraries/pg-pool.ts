import pg from 'pg';
import type { PoolOptions } from './sample.ts';

/** The pool that some libraries are given. */
export function createPgPool(url: string, { max, patienceMs }: PoolOptions): pg.Pool {
  return new pg.Pool({ connectionString: url, max, connectionTimeoutMillis: patienceMs });
}

/** What it says when no connection comes back in time. */
export const pgPoolExhausted = /timeout exceeded when trying to connect/u;
