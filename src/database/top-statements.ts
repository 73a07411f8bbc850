import * as v from 'valibot';
import { number, type OutputOf } from '../schema/fields.ts';
import type { DatabaseFailure } from './failure-row.ts';
import type { Asker } from './session.ts';
import { statisticsExtensionSql, topStatementsSql } from './sql/top-statements.sql.ts';

/** A statement as `pg_stat_statements` keeps it: `$1`, `$2`, … stand where constants were. */
const TopStatement = v.object({
  /** Cut behind 100,001 characters. */
  text: v.string(),
  calls: number,
  totalMs: number,
});
export type TopStatement = OutputOf<typeof TopStatement>;
const Installed = v.object({ schema: v.string(), version: v.string() });
const Top = v.object({ statements: v.nullable(v.array(TopStatement)), hidden: number });

export type TopAnswer =
  | {
      readonly kind: 'statements';
      /** Those that took most time first, at most 500. */ readonly statements: readonly TopStatement[];
      /** Of other roles, whose text this role may not see. */ readonly hidden: number;
    }
  /** The extension is not in this database; what only bears its name does not count. */
  | { readonly kind: 'missing' }
  /** The extension is there, but the server did not load its library at its start. */
  | { readonly kind: 'not-loaded' }
  | { readonly kind: 'failed'; readonly failure: DatabaseFailure };

/** Asks the extension for what ran in this database, whatever its schema and version. */
export async function readTopStatements(asker: Asker): Promise<TopAnswer> {
  const installed = await asker.query(statisticsExtensionSql, Installed);
  if (installed.kind === 'failed') return installed;
  const [extension] = installed.rows;
  if (extension === undefined) return { kind: 'missing' };
  const answer = await asker.query(topStatementsSql(extension.schema, extension.version), Top);
  if (answer.kind === 'failed')
    return answer.failure.code === '55000' ? { kind: 'not-loaded' } : answer;
  const [row] = answer.rows;
  return { kind: 'statements', statements: row?.statements ?? [], hidden: row?.hidden ?? 0 };
}
