/** What a statement does to the connection that runs it. */
export type SessionEffect =
  /** Changes a setting until the connection ends: `SET`, `set_config(…, false)`. */
  | 'set'
  | 'listen'
  | 'advisory-lock'
  | 'temp-table'
  | 'prepare'
  | 'load'
  | 'cursor-with-hold';

export interface StatementKind {
  /** The first word, in capitals. */
  readonly verb: string;
  readonly transaction: 'begin' | 'end' | null;
  readonly effect: SessionEffect | null;
  /** Effects that this statement takes back; `all` for `DISCARD ALL`. */
  readonly undoes: readonly (SessionEffect | 'all')[];
}

/** Splits a text into statements with comments, strings and quoted names blanked, so that words can be looked for. */
function statementsOf(sql: string): readonly string[] {
  const blanked = sql.replace(
    /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\$(\w*)\$[\s\S]*?(?:\$\1\$|$)|'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)/gu,
    (token) => (token.startsWith('--') || token.startsWith('/*') ? ' ' : token.startsWith('"') ? '""' : "''"),
  );
  return blanked.split(';').map((statement) => statement.trim()).filter((statement) => statement !== '');
}

interface Pattern {
  readonly test: RegExp;
  readonly effect?: SessionEffect;
  readonly transaction?: 'begin' | 'end';
  readonly undoes?: readonly (SessionEffect | 'all')[];
}

/** First match wins. Each row tests a statement whose comments and strings are blanked. */
const patterns: readonly Pattern[] = [
  { test: /^(?:BEGIN|START\s+TRANSACTION)\b/iu, transaction: 'begin' },
  { test: /^ROLLBACK\s+(?:WORK\s+|TRANSACTION\s+)?TO\b/iu },
  { test: /^(?:COMMIT|END|ROLLBACK|ABORT)\b/iu, transaction: 'end' },
  { test: /^SET\s+(?:LOCAL|TRANSACTION|CONSTRAINTS)\b/iu },
  { test: /^SET\s+SESSION\s+AUTHORIZATION\s+DEFAULT\b/iu, undoes: ['set'] },
  { test: /^SET\b[\s\S]*\b(?:TO|=)\s*DEFAULT\s*$/iu, undoes: ['set'] },
  { test: /^SET\s+ROLE\s+NONE\b/iu, undoes: ['set'] },
  { test: /^SET\b/iu, effect: 'set' },
  { test: /^RESET\b/iu, undoes: ['set'] },
  { test: /^DISCARD\s+ALL\b/iu, undoes: ['all'] },
  { test: /^DISCARD\s+TEMP/iu, undoes: ['temp-table'] },
  { test: /^LISTEN\b/iu, effect: 'listen' },
  { test: /^UNLISTEN\b/iu, undoes: ['listen'] },
  { test: /^PREPARE\s+TRANSACTION\b/iu, transaction: 'end' },
  { test: /^PREPARE\b/iu, effect: 'prepare' },
  { test: /^DEALLOCATE\b/iu, undoes: ['prepare'] },
  { test: /^LOAD\b/iu, effect: 'load' },
  { test: /^CREATE\s+(?:LOCAL\s+|GLOBAL\s+)?TEMP(?:ORARY)?\s+TABLE\b(?![\s\S]*ON\s+COMMIT\s+DROP)/iu, effect: 'temp-table' },
  { test: /^DROP\s+TABLE\b/iu, undoes: ['temp-table'] },
  { test: /^DECLARE\b[\s\S]*\bWITH\s+HOLD\b/iu, effect: 'cursor-with-hold' },
  { test: /^CLOSE\b/iu, undoes: ['cursor-with-hold'] },
  { test: /\bpg_advisory_unlock(?:_all|_shared)?\s*\(/iu, undoes: ['advisory-lock'] },
  { test: /\bpg_(?:try_)?advisory_lock(?:_shared)?\s*\(/iu, effect: 'advisory-lock' },
  { test: /\bset_config\s*\([\s\S]*,\s*false\s*\)/iu, effect: 'set' },
];

const unknownKind: Pattern = { test: /^/u };

/** The kinds of all statements in a text. A template's holes must have been replaced by something harmless before. */
export function statementKinds(sql: string): readonly StatementKind[] {
  return statementsOf(sql).map((statement) => {
    const { effect = null, transaction = null, undoes = [] } = patterns.find(({ test }) => test.test(statement)) ?? unknownKind;
    return { verb: /^\w+/u.exec(statement)?.[0].toUpperCase() ?? '', effect, transaction, undoes };
  });
}
