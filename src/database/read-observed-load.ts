import type { Asker } from './probe-server.ts';

/** Running totals of `pg_stat_database` for one database, in milliseconds (PostgreSQL 14 and newer). */
export interface DatabaseTimes {
  /** In statements. */
  readonly activeMs: number;
  /** In open transactions without a running statement. */
  readonly idleInTransactionMs: number;
  /** Since the statistics began; null when they were never reset, so that nobody knows. */
  readonly sinceMs: number | null;
  /** ISO 8601. */
  readonly since: string | null;
}

/** By way of JSON, so that a server without these columns answers null instead of failing. */
const timesSql = `
  SELECT (statistics ->> 'active_time')::float8 AS "activeMs",
         (statistics ->> 'idle_in_transaction_time')::float8 AS "idleInTransactionMs",
         (extract(epoch FROM pg_catalog.now() - (statistics ->> 'stats_reset')::timestamptz) * 1000)::float8 AS "sinceMs",
         pg_catalog.to_char((statistics ->> 'stats_reset')::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS "since"
    FROM (SELECT pg_catalog.to_jsonb(d) AS statistics FROM pg_catalog.pg_stat_database AS d WHERE datname = pg_catalog.current_database()) AS one`;

/** Null where the server does not count this. */
export async function readDatabaseTimes(session: Asker): Promise<DatabaseTimes | null> {
  const answer =
    await session.query<{ [Key in keyof DatabaseTimes]: DatabaseTimes[Key] | null }>(timesSql);
  const row = answer.kind === 'rows' ? answer.rows[0] : undefined;
  if (row === undefined || row.activeMs === null || row.idleInTransactionMs === null) return null;
  return {
    activeMs: row.activeMs,
    idleInTransactionMs: row.idleInTransactionMs,
    sinceMs: row.sinceMs,
    since: row.since,
  };
}
