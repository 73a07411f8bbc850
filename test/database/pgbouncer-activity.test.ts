import pg from 'pg';
import { expect, test } from 'vitest';
import { watchActivity } from '../support/activity-watch.ts';
import { createOwnedDatabase } from '../support/owned-database.ts';
import { startPgBouncer } from '../support/pgbouncer.ts';

const settings = `SELECT pg_backend_pid() AS pid, current_setting('statement_timeout') AS statement, current_setting('default_transaction_read_only') AS readonly,
  current_setting('idle_session_timeout') AS idle, (SELECT count(*)::int FROM pg_prepared_statements) AS prepared`;

test('behind PgBouncer in transaction mode: the shared backend is known as the one that looks, and is left as it was', async () => {
  await using database = await createOwnedDatabase();
  await using bouncer = await startPgBouncer(database.url, 1);
  const application = new pg.Client({ connectionString: bouncer.url });
  await application.connect();
  const before = await application.query<{ pid: number }>(settings);
  const watch = watchActivity(bouncer.url);
  const first = await watch.until(({ kind }) => kind === 'live');
  await watch.next(({ kind }) => kind === 'live');
  // The one backend is lent to the application and to us in turn.
  const after = await application.query(settings);
  const last = await watch.next(({ kind }) => kind === 'live');
  await watch.poller.stop();
  await application.end();
  expect(after.rows).toEqual(before.rows);
  expect(before.rows[0]).toMatchObject({ prepared: 0, readonly: 'off', idle: '0' });
  for (const state of [first, last]) {
    const mine =
      state.kind === 'live'
        ? state.report.sessions.filter(
            ({ isOwn, database: name }) =>
              isOwn && name === new URL(database.url).pathname.slice(1),
          )
        : [];
    expect(mine.map(({ pid }) => pid)).toEqual([before.rows[0]?.pid]);
    expect(state).toMatchObject({ report: { server: { isPooled: true } } });
  }
});
