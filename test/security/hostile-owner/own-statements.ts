import { loadSqlParser } from '../../../src/probe/workload/sql-parser.ts';
import { findUnqualified } from '../../support/unqualified-names.ts';
import type { LogEntry } from './server-log.ts';

/** Statements that Poolguard sent, as the server logged them, each once. */
export function ownStatements(entries: readonly LogEntry[]): readonly string[] {
  const texts = entries.flatMap(({ application, level, text }) => {
    const [, statement] = /^(?:statement|execute [^:]*): (.*)$/s.exec(text) ?? [];
    return application.startsWith('poolguard') && level === 'LOG' && statement !== undefined
      ? [statement]
      : [];
  });
  return [...new Set(texts)];
}

/** What of these statements the path decides, with the statement. `probed` are those of the user, whose path is the application's. */
export async function leftToPath(
  statements: readonly string[],
  probed: readonly string[],
): Promise<readonly string[]> {
  const loaded = await loadSqlParser();
  if (loaded.kind === 'refused') throw new Error(loaded.sentence);
  const { parse } = loaded;
  return statements.flatMap((text) => {
    if (probed.includes(text)) return [];
    const parsed = parse(text);
    if (parsed.kind === 'problem') return [`${parsed.sentence} ${text}`];
    return findUnqualified(parsed.statements).map((name) => `${name} in: ${text}`);
  });
}
