/** What a statement does to the connection that runs it. */
export type SessionEffect =
  /** Changes a setting until the connection ends: `SET`, `set_config(…, false)`. */
  | 'set'
  | 'listen'
  | 'advisory-lock'
  | 'temp-table'
  | 'prepare'
  | 'load'
  | 'cursor-with-hold'
  /** A statement that the driver prepares under a name, `{ name, text }`. No statement's text does it. */
  | 'named-statement';

export interface StatementKind {
  /** The first word, in capitals. */
  readonly verb: string;
  readonly transaction: 'begin' | 'end' | null;
  readonly effect: SessionEffect | null;
  /** Effects that this statement takes back; `all` for `DISCARD ALL`. */
  readonly undoes: readonly (SessionEffect | 'all')[];
  /** True for a lock that is only tried: it may not have been got. */
  readonly isAttempt: boolean;
  /** The setting that a `SET` changes, in small letters; null when the text does not say. */
  readonly parameter: string | null;
}

/** What stands in a text for a part that is not known. It reads like a parameter, which changes no statement's kind. */
export const hole = ' $0 ';

/** Splits a text into statements with comments, strings that say something and quoted names blanked, so that words can be looked for. */
function statementsOf(sql: string): readonly string[] {
  const blanked = sql.replace(
    /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\$([A-Za-z_]\w*|)\$[\s\S]*?(?:\$\1\$|$)|\be'(?:[^'\\]|\\[\s\S]|'')*(?:'|$)|'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)/giu,
    (token) => (token.startsWith('--') || token.startsWith('/*') ? ' ' : token.startsWith('"') ? '""' : token === "''" ? token : "'_'"),
  );
  return blanked.split(';').map((statement) => statement.trim()).filter((statement) => statement !== '');
}

interface Pattern {
  readonly test: RegExp;
  readonly effect?: SessionEffect;
  readonly transaction?: 'begin' | 'end';
  readonly undoes?: readonly (SessionEffect | 'all')[];
  readonly isAttempt?: true;
}

/** First match wins. Each row tests a statement whose comments and strings are blanked. */
const patterns: readonly Pattern[] = [
  { test: /^(?:BEGIN|START\s+TRANSACTION)\b/iu, transaction: 'begin' },
  { test: /^ROLLBACK\s+(?:WORK\s+|TRANSACTION\s+)?TO\b/iu },
  { test: /^(?:COMMIT|END|ROLLBACK|ABORT)\b/iu, transaction: 'end' },
  { test: /^SET\s+(?:LOCAL|TRANSACTION|CONSTRAINTS)\b/iu },
  // What is filled in here may be LOCAL.
  { test: /^SET\s+\$0(?!\s*(?:=|TO\b))/iu },
  { test: /^SET\s+SESSION\s+AUTHORIZATION\s+DEFAULT\b/iu, undoes: ['set'] },
  { test: /^SET\b[\s\S]*\b(?:TO\s+|=\s*)DEFAULT\s*$/iu, undoes: ['set'] },
  { test: /^SET\s+TIME\s+ZONE\s+(?:DEFAULT|LOCAL)\b/iu, undoes: ['set'] },
  { test: /^SET\s+(?:SESSION\s+)?ROLE\s+NONE\b/iu, undoes: ['set'] },
  { test: /^SET\s+\S/iu, effect: 'set' },
  { test: /^RESET\b/iu, undoes: ['set'] },
  { test: /^DISCARD\s+ALL\b/iu, undoes: ['all'] },
  { test: /^DISCARD\s+TEMP/iu, undoes: ['temp-table'] },
  { test: /^LISTEN\s+\S/iu, effect: 'listen' },
  { test: /^UNLISTEN\b/iu, undoes: ['listen'] },
  { test: /^PREPARE\s+TRANSACTION\b/iu, transaction: 'end' },
  { test: /^PREPARE\s+\S/iu, effect: 'prepare' },
  { test: /^DEALLOCATE\b/iu, undoes: ['prepare'] },
  { test: /^LOAD\s+\S/iu, effect: 'load' },
  { test: /^CREATE\s[\s\S]*\bON\s+COMMIT\s+DROP\b/iu },
  // What is filled in behind the columns may be ON COMMIT DROP.
  { test: /^CREATE\s+(?:LOCAL\s+|GLOBAL\s+)?TEMP(?:ORARY)?\s+TABLE\b(?![\s\S]*\bAS\b)[\s\S]*\)\s*\$0\s*$/iu },
  { test: /^CREATE\s+(?:OR\s+REPLACE\s+)?(?:LOCAL\s+|GLOBAL\s+)?TEMP(?:ORARY)?\s+(?:RECURSIVE\s+)?(?:TABLE|VIEW|SEQUENCE)\b/iu, effect: 'temp-table' },
  { test: /^(?:SELECT|WITH)\b[\s\S]*\bINTO\s+(?:LOCAL\s+|GLOBAL\s+)?TEMP(?:ORARY)?\s+\S/iu, effect: 'temp-table' },
  { test: /^DROP\s+(?:TABLE|VIEW|SEQUENCE)\b/iu, undoes: ['temp-table'] },
  { test: /^DECLARE\b[\s\S]*\bWITH\s+HOLD\b/iu, effect: 'cursor-with-hold' },
  { test: /^CLOSE\b/iu, undoes: ['cursor-with-hold'] },
  // The text of a function or view runs later, if ever.
  { test: /^(?:CREATE|ALTER|COMMENT|GRANT|REVOKE)\b/iu },
  { test: /\bpg_advisory_unlock(?:_all|_shared)?\s*\(/iu, undoes: ['advisory-lock'] },
  { test: /\bpg_try_advisory_lock(?:_shared)?\s*\(/iu, effect: 'advisory-lock', isAttempt: true },
  { test: /\bpg_advisory_lock(?:_shared)?\s*\(/iu, effect: 'advisory-lock' },
  // A setting that was made up for the application has no default but nothing.
  { test: /^SELECT\s+set_config\s*\(\s*'_'\s*,\s*(?:''|NULL)\s*,\s*false\s*\)(?:\s*,\s*set_config\s*\(\s*'_'\s*,\s*(?:''|NULL)\s*,\s*false\s*\))*$/iu, undoes: ['set'] },
  // The last argument, behind balanced brackets: a `false` of some other function does not count.
  { test: /\bset_config\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*,\s*(?:is_local\s*(?:=>|:=)\s*)?false\s*\)/iu, effect: 'set' },
];

const unknownKind: Pattern = { test: /^/u };

/** The kinds of all statements in a text. A template's holes must have been replaced by something harmless before. */
export function statementKinds(sql: string): readonly StatementKind[] {
  return statementsOf(sql).map((statement) => {
    const { effect = null, transaction = null, undoes = [], isAttempt = false } = patterns.find(({ test }) => test.test(statement)) ?? unknownKind;
    return { verb: /^\w+/u.exec(statement)?.[0].toUpperCase() ?? '', effect, transaction, undoes, isAttempt, parameter: effect === 'set' ? parameterIn(statement) : null };
  });
}

/** Statements with a spelling of their own for a setting. */
const spellings: Readonly<Record<string, string>> = { time: 'timezone', names: 'client_encoding' };

function parameterIn(statement: string): string | null {
  const word = /^SET\s+(?:SESSION\s+(?!AUTHORIZATION|CHARACTERISTICS))?([a-z_][\w.]*)/iu.exec(statement)?.[1]?.toLowerCase();
  return word === undefined ? null : (spellings[word] ?? word);
}

/** The first effect of a text that the same text does not take back. */
export function lastingKind(kinds: readonly StatementKind[]): StatementKind | undefined {
  return kinds.find(({ effect }, index) => effect !== null && !kinds.slice(index + 1).some(({ undoes }) => undoes.includes(effect) || undoes.includes('all')));
}
