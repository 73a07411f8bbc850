import { once } from 'node:events';
import type { Pool } from 'pg';
import { askAsOther, harm, until } from '../harm.ts';

interface Database {
  report(): Promise<unknown>;
  invoicesOf(pool: Pool, tenant: string): Promise<unknown>;
  subscribe(onJob: () => void): Promise<unknown>;
  nightly(): Promise<unknown>;
}

const setsForGood = { example: '❌ SET through the pool: an arbitrary client keeps the setting.' };
const setsLocally = { example: '✅ SET LOCAL in a transaction ends with it.' };

export const sessionState = [
  harm<Database>({
    rule: 'no-session-state',
    name: 'the next borrower has the time limit of the one before',
    tables: 'CREATE TABLE big_report ()',
    play: async ({ example, pool }) => {
      await example.report();
      const { rows } = await pool.query('SHOW statement_timeout');
      return { next: rows };
    },
    wrong: { ...setsForGood, seen: { next: [{ statement_timeout: '1min' }] } },
    right: { ...setsLocally, seen: { next: [{ statement_timeout: '0' }] } },
  }),
  harm<Database>({
    rule: 'no-session-state',
    name: 'behind PgBouncer in transaction mode, another application has it',
    tables: 'CREATE TABLE big_report ()',
    pgBouncerBackends: 1,
    play: async ({ example }) => {
      await example.report();
      return { other: await askAsOther('SHOW statement_timeout') };
    },
    wrong: { ...setsForGood, seen: { other: [{ statement_timeout: '1min' }] } },
    right: { ...setsLocally, seen: { other: [{ statement_timeout: '0' }] } },
  }),
  harm<Database>({
    rule: 'no-session-state',
    name: 'the next borrower acts for the tenant of the one before',
    tables: 'CREATE TABLE invoices ()',
    play: async ({ example, pool }) => {
      await example.invoicesOf(pool, 'acme');
      const { rows } = await pool.query("SELECT current_setting('app.tenant') AS tenant");
      return { next: rows };
    },
    wrong: {
      example: '❌ A tenant for row-level security that outlives the request.',
      seen: { next: [{ tenant: 'acme' }] },
    },
    right: {
      example: '✅ The third argument `true` limits it to the transaction.',
      seen: { next: [{ tenant: '' }] },
    },
  }),
  harm<Database>({
    rule: 'no-session-state',
    name: 'nobody listens any more once the pool has closed the idle client',
    play: async ({ example, pool, states, backends }) => {
      pool.options.idleTimeoutMillis = 20;
      await example.subscribe(() => undefined);
      if (pool.totalCount > 0) await once(pool, 'remove');
      await until(async () => (await states()).every((state) => state === 'idle'));
      return { listeners: (await backends()).length };
    },
    wrong: {
      example:
        '❌ LISTEN through the pool: after ten idle seconds the pool closes the client, and notifications stop.',
      seen: { listeners: 0 },
    },
    right: { example: '✅ A listener with a dedicated connection.', seen: { listeners: 1 } },
  }),
  harm<Database>({
    rule: 'no-session-state',
    name: 'the lock stays taken',
    tables: 'CREATE FUNCTION nightly() RETURNS int LANGUAGE sql RETURN 1',
    play: async ({ example }) => {
      await example.nightly();
      return { other: await askAsOther('SELECT pg_try_advisory_lock(42) AS has_it') };
    },
    wrong: {
      example: '❌ A session advisory lock stays locked after the release.',
      seen: { other: [{ has_it: false }] },
    },
    right: {
      example: '✅ A transaction-level lock ends with the transaction.',
      seen: { other: [{ has_it: true }] },
    },
  }),
];
