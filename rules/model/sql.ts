import { sqlTokens, statementsAmong, type SqlToken } from './sql-tokens.ts';

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

/** What a statement does to the transaction of the connection that runs it. */
export type TransactionStep =
  | 'begin'
  | 'commit'
  | 'rollback'
  /** `PREPARE TRANSACTION`: the transaction is set aside, and the connection is out of it. */
  | 'prepare'
  | 'savepoint'
  | 'release-savepoint'
  | 'rollback-to-savepoint'
  /** `SET TRANSACTION …` */
  | 'characteristics'
  /** `COMMIT PREPARED`, `ROLLBACK PREPARED`: end a transaction that was set aside, never that of the connection. */
  | 'commit-prepared'
  | 'rollback-prepared';

export interface StatementKind {
  /** The first word, in capitals. */
  readonly verb: string;
  readonly transaction: TransactionStep | null;
  /** `COMMIT AND CHAIN`, `ROLLBACK AND CHAIN`: the next transaction begins at once. */
  readonly isChained: boolean;
  readonly effect: SessionEffect | null;
  /** What it needs of the connection: `EXECUTE` and `DEALLOCATE` of a statement that was prepared before. */
  readonly uses: SessionEffect | null;
  /** Effects that this statement takes back; `all` for `DISCARD ALL`. */
  readonly undoes: readonly (SessionEffect | 'all')[];
  /** True for a lock that is only tried: it may not have been got. */
  readonly isAttempt: boolean;
  /** The setting that a `SET` or `set_config` changes, in small letters; null when the text does not say, or there are several. */
  readonly parameter: string | null;
}

/** What stands in a text for a part that is not known. It reads like a parameter, which changes no statement's kind. */
export const hole = ' $0 ';

type Row = Partial<Omit<StatementKind, 'verb' | 'parameter'>> & { readonly test: RegExp };

/**
 * First match wins. Each row tests a statement in the plain form that `plainForm` gives it: words in capitals, one space between
 * tokens, what strings and quoted names say left out.
 */
const rows: readonly Row[] = [
  { test: /^(?:BEGIN|START TRANSACTION)\b/u, transaction: 'begin' },
  { test: /^COMMIT PREPARED\b/u, transaction: 'commit-prepared' },
  { test: /^ROLLBACK PREPARED\b/u, transaction: 'rollback-prepared' },
  { test: /^ROLLBACK (?:WORK |TRANSACTION )?TO\b/u, transaction: 'rollback-to-savepoint' },
  {
    test: /^(?:COMMIT|END) (?:WORK |TRANSACTION )?AND CHAIN\b/u,
    transaction: 'commit',
    isChained: true,
  },
  {
    test: /^(?:ROLLBACK|ABORT) (?:WORK |TRANSACTION )?AND CHAIN\b/u,
    transaction: 'rollback',
    isChained: true,
  },
  { test: /^(?:COMMIT|END)\b/u, transaction: 'commit' },
  { test: /^(?:ROLLBACK|ABORT)\b/u, transaction: 'rollback' },
  { test: /^SAVEPOINT \S/u, transaction: 'savepoint' },
  { test: /^RELEASE \S/u, transaction: 'release-savepoint' },
  { test: /^PREPARE TRANSACTION\b/u, transaction: 'prepare' },
  // The three settings of a transaction end with it, however they are set.
  {
    test: /^SET (?:LOCAL |SESSION )?TRANSACTION(?:_ISOLATION|_READ_ONLY|_DEFERRABLE)?(?= |$)/u,
    transaction: 'characteristics',
  },
  { test: /^SET (?:LOCAL|CONSTRAINTS)\b/u },
  // What is filled in here may be LOCAL.
  { test: /^SET \$0(?! (?:=|TO\b))/u },
  { test: /^SET (?:SESSION )?SESSION AUTHORIZATION DEFAULT\b/u, undoes: ['set'] },
  { test: /^SET .*(?:\bTO|=) DEFAULT$/su, undoes: ['set'] },
  { test: /^SET (?:SESSION )?TIME ZONE (?:DEFAULT|LOCAL)\b/u, undoes: ['set'] },
  { test: /^SET (?:SESSION )?ROLE NONE\b/u, undoes: ['set'] },
  { test: /^SET \S/u, effect: 'set' },
  { test: /^RESET\b/u, undoes: ['set'] },
  { test: /^DISCARD ALL\b/u, undoes: ['all'] },
  { test: /^DISCARD TEMP/u, undoes: ['temp-table'] },
  { test: /^LISTEN \S/u, effect: 'listen' },
  { test: /^UNLISTEN\b/u, undoes: ['listen'] },
  { test: /^PREPARE \S/u, effect: 'prepare' },
  { test: /^DEALLOCATE (?:PREPARE )?ALL\b/u, undoes: ['prepare'] },
  { test: /^DEALLOCATE \S/u, undoes: ['prepare'], uses: 'prepare' },
  { test: /^EXECUTE \S/u, uses: 'prepare' },
  { test: /^LOAD \S/u, effect: 'load' },
  { test: /^CREATE .*\bON COMMIT DROP\b/su },
  // What is filled in after the columns may be ON COMMIT DROP.
  { test: /^CREATE (?:LOCAL |GLOBAL )?TEMP(?:ORARY)? TABLE\b(?!.*\bAS\b).*\) \$0$/su },
  {
    test: /^CREATE (?:OR REPLACE )?(?:LOCAL |GLOBAL )?TEMP(?:ORARY)? (?:RECURSIVE )?(?:TABLE|VIEW|SEQUENCE)\b/u,
    effect: 'temp-table',
  },
  {
    test: /^(?:SELECT|WITH)\b.*\bINTO (?:LOCAL |GLOBAL )?TEMP(?:ORARY)? \S/su,
    effect: 'temp-table',
  },
  { test: /^DROP (?:TABLE|VIEW|SEQUENCE)\b/u, undoes: ['temp-table'] },
  { test: /^DECLARE\b.*\bWITH HOLD\b/su, effect: 'cursor-with-hold' },
  { test: /^CLOSE\b/u, undoes: ['cursor-with-hold'] },
  // The text of a function or view runs later, if ever.
  { test: /^(?:CREATE|ALTER|COMMENT|GRANT|REVOKE)\b/u },
  { test: /\bPG_ADVISORY_UNLOCK(?:_ALL|_SHARED)? \(/u, undoes: ['advisory-lock'] },
  { test: /\bPG_TRY_ADVISORY_LOCK(?:_SHARED)? \(/u, effect: 'advisory-lock', isAttempt: true },
  { test: /\bPG_ADVISORY_LOCK(?:_SHARED)? \(/u, effect: 'advisory-lock' },
  // A setting that was made up for the application has no default but nothing.
  {
    test: /^SELECT SET_CONFIG \( '_' , (?:''|NULL) , FALSE \)(?: , SET_CONFIG \( '_' , (?:''|NULL) , FALSE \))*$/u,
    undoes: ['set'],
  },
  // The last argument, behind balanced brackets: a `false` of some other function does not count.
  {
    test: /\bSET_CONFIG \((?:[^()]|\((?:[^()]|\([^()]*\))*\))*, (?:IS_LOCAL (?:= >|: =) )?FALSE \)/u,
    effect: 'set',
  },
];

const nothing = {
  transaction: null,
  isChained: false,
  effect: null,
  uses: null,
  undoes: [],
  isAttempt: false,
  parameter: null,
} as const;

/** The kinds of all statements in a text. A template's holes must have been replaced by something harmless before. */
export function statementKinds(sql: string): readonly StatementKind[] {
  const verb = onlyVerb(sql);
  return verb === undefined ? statementsAmong(sqlTokens(sql)).map(kindOf) : [{ ...nothing, verb }];
}

/** Only with one of these does a statement of such a verb do more than to read or write rows. Without the flag for Unicode, which is slow to fold the case of. */
const uncommon = /;(?!\s*$)|advisory|set_config|\btemp/i;

/** The verb of a text that plainly is one statement which leaves nothing behind: most are recognised by their first word. */
function onlyVerb(sql: string): string | undefined {
  const verb = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH|MERGE|VALUES)\b/iu
    .exec(sql)?.[1]
    ?.toUpperCase();
  return verb === undefined || uncommon.test(sql) ? undefined : verb;
}

function kindOf(tokens: readonly SqlToken[]): StatementKind {
  const plain = plainForm(tokens);
  const found = rows.find(({ test }) => test.test(plain));
  const [first] = tokens;
  const {
    transaction = null,
    isChained = false,
    effect = null,
    uses = null,
    undoes = [],
    isAttempt = false,
  } = found ?? {};
  return {
    verb: first?.kind === 'word' ? first.text : '',
    transaction,
    isChained,
    effect,
    uses,
    undoes,
    isAttempt,
    parameter: effect === 'set' ? settingNamed(tokens) : null,
  };
}

function plainForm(tokens: readonly SqlToken[]): string {
  return tokens
    .map(({ kind, text }) =>
      kind === 'quoted' ? '""' : kind !== 'string' ? text : text === '' ? "''" : "'_'",
    )
    .join(' ');
}

/** Statements with a spelling of their own for a setting. */
const spellings: Readonly<Record<string, string>> = {
  time: 'timezone',
  names: 'client_encoding',
  schema: 'search_path',
  xml: 'xmloption',
};

function settingNamed(tokens: readonly SqlToken[]): string | null {
  if (tokens[0]?.text !== 'SET') return settingOfCalls(tokens);
  const [first, second] = [tokens[1], tokens[2]].map((token) =>
    token?.kind === 'word' ? token.text : undefined,
  );
  if (first === 'SESSION' && second === 'CHARACTERISTICS') return 'session characteristics';
  if (first === 'SESSION' && second === 'AUTHORIZATION') return 'session_authorization';
  const name = nameIn(tokens.slice(first === 'SESSION' ? 2 : 1));
  return spellings[name] ?? (name === '' ? null : name);
}

/** `app.tenant`, `"app"."tenant"` at the beginning; empty when something else stands there. */
function nameIn(tokens: readonly SqlToken[]): string {
  const end = tokens.findIndex(({ kind, text }, index) =>
    index % 2 === 0 ? kind !== 'word' && kind !== 'quoted' : text !== '.',
  );
  return tokens
    .slice(0, end < 0 ? tokens.length : end)
    .map(({ text }) => text)
    .join('')
    .toLowerCase();
}

/** `set_config('app.tenant', …)`, as long as all such calls name the same. */
function settingOfCalls(tokens: readonly SqlToken[]): string | null {
  const named = tokens.flatMap(({ kind, text }, index) =>
    kind === 'word' && text === 'SET_CONFIG' ? [tokens[index + 2]] : [],
  );
  const names = new Set(
    named.map((token) => (token?.kind === 'string' ? token.text.toLowerCase() : undefined)),
  );
  const [only] = names;
  return names.size === 1 && only !== undefined && !only.includes('$0') ? only : null;
}

/** A statement that leaves something behind. */
export type LastingKind = StatementKind & { readonly effect: SessionEffect };

/** The first statement of each effect of a text that the same text does not take back. */
export function lastingKinds(kinds: readonly StatementKind[]): readonly LastingKind[] {
  const lasting = kinds.filter(
    (kind, index): kind is LastingKind =>
      kind.effect !== null &&
      !kinds.slice(index + 1).some((later) => takesBack(later, kind.effect)),
  );
  return lasting.filter(
    ({ effect }, index) => lasting.findIndex((each) => each.effect === effect) === index,
  );
}

/** The first of them. */
export function lastingKind(kinds: readonly StatementKind[]): LastingKind | undefined {
  return lastingKinds(kinds)[0];
}

/** Whether a statement takes such state back. */
export function takesBack({ undoes }: StatementKind, effect: SessionEffect | null): boolean {
  return undoes.includes('all') || (effect !== null && undoes.includes(effect));
}
