/** Words that any program may write; what else stands in a statement tells whose it is. */
const common: ReadonlySet<string> = new Set([
  ...['all', 'and', 'any', 'array', 'as', 'asc', 'begin', 'between', 'bigint', 'boolean', 'by', 'case', 'cast', 'coalesce', 'conflict', 'constraint', 'count', 'create', 'cross', 'current_database', 'current_date', 'current_timestamp', 'current_user'],
  ...['date', 'default', 'delete', 'desc', 'distinct', 'do', 'else', 'end', 'excluded', 'exists', 'false', 'first', 'for', 'from', 'full', 'group', 'having', 'ilike', 'in', 'index', 'inner', 'insert', 'int', 'integer', 'into', 'is', 'join', 'json', 'jsonb'],
  ...['last', 'lateral', 'left', 'like', 'limit', 'locked', 'max', 'min', 'no', 'not', 'nothing', 'now', 'null', 'nulls', 'of', 'offset', 'on', 'or', 'order', 'outer', 'over', 'partition', 'recursive', 'returning', 'right', 'row', 'rows'],
  ...['select', 'set', 'share', 'skip', 'some', 'sum', 'table', 'text', 'then', 'timestamp', 'timestamptz', 'true', 'union', 'unique', 'update', 'using', 'uuid', 'values', 'varchar', 'version', 'when', 'where', 'with', 'id'],
  ...['add', 'alter', 'analyze', 'cascade', 'check', 'column', 'comment', 'concurrently', 'copy', 'data', 'database', 'domain', 'drop', 'enum', 'explain', 'extension', 'foreign', 'function', 'grant', 'if', 'key', 'language', 'listen', 'lock'],
  ...['materialized', 'merge', 'name', 'notify', 'only', 'owner', 'policy', 'primary', 'privileges', 'public', 'references', 'refresh', 'reindex', 'rename', 'replace', 'restrict', 'revoke', 'role', 'schema', 'sequence', 'serial', 'temp', 'temporary'],
  ...['to', 'trigger', 'truncate', 'type', 'user', 'vacuum', 'value', 'view'],
]);

export interface Words {
  /** All letters of words. */
  readonly letters: number;
  /** Those of words that say whose statement it is: names of tables, columns and functions. */
  readonly telling: number;
}

/** Counts the letters of a text that is no statement by itself, such as the pieces of a template. Strings and comments count like names. */
export function wordsIn(text: string): Words {
  let [letters, telling] = [0, 0];
  for (const [word] of text.matchAll(/[\p{L}_][\p{L}\d_]*/gu)) {
    letters += word.length;
    if (!common.has(word.toLowerCase())) telling += word.length;
  }
  return { letters, telling };
}
