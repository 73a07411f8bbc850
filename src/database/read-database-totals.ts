import * as v from 'valibot';
import { number, type OutputOf } from '../schema/fields.ts';
import type { Asker } from './session.ts';
import { databaseCountsSql, databaseTimesSql } from './sql/database-totals.sql.ts';

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

const TimesRow = v.object({
  activeMs: v.nullable(number),
  idleInTransactionMs: v.nullable(number),
  sinceMs: v.nullable(number),
  since: v.nullable(v.string()),
});

/** Null where the server does not count this. */
export async function readDatabaseTimes(session: Asker): Promise<DatabaseTimes | null> {
  const answer = await session.query(databaseTimesSql, TimesRow);
  const row = answer.kind === 'rows' ? answer.rows[0] : undefined;
  if (row === undefined || row.activeMs === null || row.idleInTransactionMs === null) return null;
  return {
    activeMs: row.activeMs,
    idleInTransactionMs: row.idleInTransactionMs,
    sinceMs: row.sinceMs,
    since: row.since,
  };
}

/** Totals of `pg_stat_database` for one database, of all its sessions; or what they rose by. */
const DatabaseCounts = v.object({
  /** `xact_commit` */
  commits: number,
  /** `tup_inserted`, `tup_updated` and `tup_deleted`, those of transactions that were rolled back included. */
  rowsWritten: number,
});
export type DatabaseCounts = OutputOf<typeof DatabaseCounts>;

/** Null where the server does not answer. */
export async function readDatabaseCounts(session: Asker): Promise<DatabaseCounts | null> {
  const answer = await session.query(databaseCountsSql, DatabaseCounts);
  return answer.kind === 'rows' ? (answer.rows[0] ?? null) : null;
}

/** What they rose by; null when either could not be read. */
export function riseOf(
  before: DatabaseCounts | null,
  after: DatabaseCounts | null,
): DatabaseCounts | null {
  if (before === null || after === null) return null;
  return {
    commits: after.commits - before.commits,
    rowsWritten: after.rowsWritten - before.rowsWritten,
  };
}
