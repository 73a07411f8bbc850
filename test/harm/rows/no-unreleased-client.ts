import type { Socket } from 'node:net';
import type { Pool, PoolClient } from 'pg';
import { exhausted, harm, outcome } from '../harm.ts';

interface Users {
  findUser(id: number): Promise<unknown>;
  rename(pool: Pool, id: number, name: string): Promise<void>;
  listUsers(): Promise<unknown>;
  countUsers(callback: (error: Error | null, row?: object) => void): void;
}

/** Cuts the connection between the acquire and the answer to the first statement, as a network does. */
function cutSoon(client: PoolClient): void {
  const { connection } = client as unknown as { readonly connection: { readonly stream: Socket } };
  setImmediate(() => connection.stream.destroy());
}

const cut = 'Connection terminated unexpectedly';

export const unreleasedClient = [
  harm<Users>({
    rule: 'no-unreleased-client',
    name: 'a pool of two serves two unlucky requests, and then nobody',
    tables: 'CREATE TABLE users (id int)',
    max: 2,
    play: async ({ example, pool }) => {
      const requests = [];
      for (const id of [1, 2, 3]) requests.push(await outcome(example.findUser(id)));
      return { requests, idle: pool.idleCount, total: pool.totalCount };
    },
    wrong: {
      example: '❌ Returns early.',
      seen: { requests: ['ok', 'ok', exhausted], idle: 0, total: 2 },
    },
    right: {
      example: '✅ Releases in `finally`.',
      seen: { requests: ['ok', 'ok', 'ok'], idle: 1, total: 1 },
    },
  }),
  harm<Users>({
    rule: 'no-unreleased-client',
    name: 'a connection that breaks during BEGIN takes its place in the pool along',
    tables: 'CREATE TABLE users (id int, name text)',
    max: 1,
    play: async ({ example, pool }) => {
      pool.on('connect', (client) => client.on('error', () => undefined));
      pool.once('acquire', cutSoon);
      const broken = await outcome(example.rename(pool, 1, 'Ada'));
      return { broken, next: await outcome(example.rename(pool, 1, 'Ada')) };
    },
    wrong: {
      example:
        '❌ Awaits BEGIN between the checkout and the `try`. If BEGIN fails, the client is never released.',
      seen: { broken: cut, next: exhausted },
    },
    right: {
      example: '✅ The `try` starts right after the checkout.',
      seen: {
        broken: 'Client has encountered a connection error and is not queryable',
        next: 'ok',
      },
    },
  }),
  harm<Users>({
    rule: 'no-unreleased-client',
    name: 'a failed statement keeps the client of its callback',
    max: 1,
    play: async ({ example, pool }) => {
      await new Promise<void>((resolve) => example.countUsers(() => resolve()));
      return { idle: pool.idleCount, next: await outcome(pool.query('SELECT 1')) };
    },
    wrong: {
      example: '❌ Forgets `done` in the error branch of a callback.',
      seen: { idle: 0, next: exhausted },
    },
    right: {
      example: '✅ Releases first, then handles the error.',
      seen: { idle: 1, next: 'ok' },
    },
  }),
  harm<Users>({
    rule: 'no-unreleased-client',
    name: 'a failed statement keeps the client of its promise',
    max: 1,
    play: async ({ example, pool }) => {
      const listing = await outcome(example.listUsers());
      return { listing, idle: pool.idleCount, next: await outcome(pool.query('SELECT 1')) };
    },
    wrong: {
      example: '❌ Releases in `.then` only.',
      seen: { listing: 'relation "users" does not exist', idle: 0, next: exhausted },
    },
    right: {
      example: '✅ Releases in `.finally`.',
      seen: { listing: 'relation "users" does not exist', idle: 1, next: 'ok' },
    },
  }),
];
