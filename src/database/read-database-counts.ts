import type { Asker } from './probe-server.ts';
import { databaseCountsSql } from './sql/database-counts.sql.ts';

/** Totals of `pg_stat_database` for one database, of all its sessions; or what they rose by. */
export interface DatabaseCounts {
  /** `xact_commit` */
  readonly commits: number;
  /** `tup_inserted`, `tup_updated` and `tup_deleted`, those of transactions that were rolled back included. */
  readonly rowsWritten: number;
}

/** Null where the server does not answer. */
export async function readDatabaseCounts(session: Asker): Promise<DatabaseCounts | null> {
  const answer = await session.query<DatabaseCounts>(databaseCountsSql);
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
