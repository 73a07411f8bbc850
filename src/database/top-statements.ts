import type { DatabaseFailure } from './failure.ts';
import type { Asker } from './probe-server.ts';

/** A statement as `pg_stat_statements` keeps it: `$1`, `$2`, … stand where constants were. */
export interface TopStatement {
  /** Cut behind 100,001 characters. */
  readonly text: string;
  readonly calls: number;
  readonly totalMs: number;
}

export type TopAnswer =
  | {
      readonly kind: 'statements';
      /** Those that took most time first, at most 500. */ readonly statements: readonly TopStatement[];
      /** Of other roles, whose text this role may not see. */ readonly hidden: number;
    }
  /** The extension is not in this database. */
  | { readonly kind: 'missing' }
  /** The extension is there, but the server did not load its library at its start. */
  | { readonly kind: 'not-loaded' }
  | { readonly kind: 'failed'; readonly failure: DatabaseFailure };

/** Asks the extension for what ran in this database, whatever its schema and version. */
export async function readTopStatements(asker: Asker): Promise<TopAnswer> {
  const installed = await asker.query<{ schema: string; version: string }>(
    "SELECT n.nspname AS schema, e.extversion AS version FROM pg_catalog.pg_extension AS e JOIN pg_catalog.pg_namespace AS n ON n.oid = e.extnamespace WHERE e.extname = 'pg_stat_statements'",
  );
  if (installed.kind === 'failed') return installed;
  const [extension] = installed.rows;
  if (extension === undefined) return { kind: 'missing' };
  const answer = await asker.query<{ statements: readonly TopStatement[] | null; hidden: number }>(
    topSql(extension.schema, extension.version),
  );
  if (answer.kind === 'failed')
    return answer.failure.code === '55000' ? { kind: 'not-loaded' } : answer;
  const [row] = answer.rows;
  return { kind: 'statements', statements: row?.statements ?? [], hidden: row?.hidden ?? 0 };
}

/** Version 1.8 renamed `total_time`, and 1.9 told what was called by functions apart. */
function topSql(schema: string, version: string): string {
  const minor = Number(version.split('.')[1] ?? 0);
  const time = minor >= 8 ? 'total_exec_time' : 'total_time';
  return `
    WITH seen AS (
      SELECT query, queryid, calls, ${time} AS ms FROM "${schema.replaceAll('"', '""')}".pg_stat_statements
       WHERE dbid = (SELECT oid FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database())${minor >= 9 ? ' AND toplevel' : ''}
    ), top AS (
      SELECT pg_catalog.left(query, 100001) AS "text", sum(calls)::float8 AS "calls", sum(ms)::float8 AS "totalMs"
        FROM seen WHERE queryid IS NOT NULL AND query IS NOT NULL AND calls > 0 GROUP BY query ORDER BY 3 DESC LIMIT 500
    )
    SELECT (SELECT pg_catalog.json_agg(top) FROM top) AS "statements", (SELECT count(*)::int FROM seen WHERE queryid IS NULL) AS "hidden"`;
}
