import type { PoolClient } from 'pg';
import { harm, until } from '../harm.ts';

interface Posts {
  publish(id: number): Promise<void>;
  allUsers(): Promise<unknown>;
  connect(
    callback: (error: Error | undefined, client: PoolClient, done?: () => void) => void,
  ): void;
}

export const useAfterRelease = [
  harm<Posts>({
    rule: 'no-use-after-release',
    name: 'a statement behind the release goes with the ROLLBACK of the next borrower',
    tables: 'CREATE TABLE posts (id int, published bool); CREATE TABLE audit (post_id int)',
    modules: {
      'mail.js': 'export const mailFollowers = (id) => fetch(`https://mail.example/posts/${id}`);',
    },
    play: async ({ example, pool, internet }) => {
      const publishing = example.publish(1);
      await internet.received(1);
      const borrower = await pool.connect();
      await borrower.query('BEGIN');
      internet.answer();
      await publishing;
      await borrower.query('ROLLBACK');
      borrower.release();
      const { rows } = await pool.query('SELECT post_id FROM audit');
      return { audit: rows };
    },
    wrong: {
      example: '❌ Releases the client before it mails, then writes the audit log on it.',
      seen: { audit: [] },
    },
    right: {
      example: '✅ Does all its work before the release.',
      seen: { audit: [{ post_id: 1 }] },
    },
  }),
  harm<Posts>({
    rule: 'no-use-after-release',
    name: 'a client that still runs a query counts as idle, and the next caller waits behind that query',
    tables: 'CREATE VIEW users AS SELECT pg_sleep(0.3)::text AS name',
    play: async ({ example, pool, states }) => {
      const users = example.allUsers();
      await until(async () => (await states()).includes('active'));
      const idle = pool.idleCount;
      const first = await Promise.race([
        users.then(() => 'the slow query'),
        pool.query('SELECT 1').then(() => 'the next caller'),
      ]);
      return { idle, first };
    },
    wrong: {
      example: '❌ Returns a query without awaiting it before the `finally`.',
      seen: { idle: 1, first: 'the slow query' },
    },
    right: { example: '✅ Awaits the query.', seen: { idle: 0, first: 'the next caller' } },
  }),
  harm<Posts>({
    rule: 'no-use-after-release',
    name: 'two callers have the same client, and one undoes what the other did',
    tables: 'CREATE TABLE audit (post_id int)',
    play: async ({ example, pool }) => {
      const { client, done } = await new Promise<{
        client: PoolClient;
        done: (() => void) | undefined;
      }>((resolve) => {
        example.connect((_error, received, release) =>
          resolve({ client: received, done: release }),
        );
      });
      const borrower = await pool.connect();
      await borrower.query('BEGIN');
      await client.query('INSERT INTO audit VALUES (1)');
      await borrower.query('ROLLBACK');
      borrower.release();
      done?.();
      const { rows } = await pool.query('SELECT post_id FROM audit');
      return { isSame: borrower === client, audit: rows };
    },
    wrong: {
      example: '❌ Passes on a client that it has released.',
      seen: { isSame: true, audit: [] },
    },
    right: {
      example: '✅ Leaves the release to the receiver.',
      seen: { isSame: false, audit: [{ post_id: 1 }] },
    },
  }),
];
