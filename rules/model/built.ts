/** What a statement does to its table. */
export type Verb = 'select' | 'insert' | 'update' | 'delete' | 'truncate';

/** The queries that a library builds, as far as the texts tell which the server shows of its sessions. */
export interface Builds {
  /** Whether it writes keywords in capitals; names are quoted in any case. */
  readonly inCapitals: boolean;
  readonly calls: readonly BuiltCalls[];
  /** Keys of options, and methods after a call, with which it reads other tables as well: `include`. */
  readonly reaches: readonly string[];
  readonly tables: Tables;
}

interface BuiltCalls {
  /** Members from the handle to the call, `*` for any name, and nothing for a call of the handle itself. */
  readonly paths: readonly string[];
  /** What it sends when no method after it says otherwise. */
  readonly verbs: readonly Verb[];
  /** What it sends with one of these methods after it. */
  readonly behind: Readonly<Record<string, readonly Verb[]>>;
  /** Where it is told its table: its first argument, that of a method after it, the first member of its path, or the handle itself; unknown where none of these tells. */
  readonly table: readonly ('argument' | 'member' | 'handle' | { readonly behind: string })[];
}

/** How a program says what a table is called. */
export interface Tables {
  /** Exported functions that make a table, and are given its name first, and classes that are given options: `pgTable('users', …)`. */
  readonly makers: readonly string[];
  /** Statics of a class: `static tableName = 'users'`. */
  readonly statics: readonly string[];
  /** Decorators of a class that are given the name, or options with it. */
  readonly decorators: readonly string[];
  /** Options that have it, of decorators and of what makes a class. */
  readonly options: readonly string[];
  /** Methods that make a table of a class, or make the class: `User.init(attributes, options)`, `define('User', attributes, options)`. */
  readonly methods: readonly string[];
  /** What a table is called that has no name: its class in small letters with underscores, in the plural, or as it is. */
  readonly unnamed: 'underscored' | 'plural' | 'same' | null;
}

export const noTables: Tables = {
  makers: [],
  statics: [],
  decorators: [],
  options: [],
  methods: [],
  unnamed: null,
};

/** Calls that each send one kind of statement. */
export function each(
  table: BuiltCalls['table'],
  verbs: Readonly<Partial<Record<Verb, string>>>,
): readonly BuiltCalls[] {
  return Object.entries(verbs).map(([verb, paths]) => ({
    paths: paths.split(' '),
    verbs: [verb as Verb],
    behind: {},
    table,
  }));
}

/** Methods by what they make of a query. */
export function byMethod(
  verbs: Readonly<Partial<Record<Verb, string>>>,
): Readonly<Record<string, readonly Verb[]>> {
  return Object.fromEntries(
    Object.entries(verbs).flatMap(([verb, names]) =>
      names.split(' ').map((name) => [name, [verb as Verb]] as const),
    ),
  );
}

export const anyVerb: readonly Verb[] = ['select', 'insert', 'update', 'delete'];

/** Calls that each send statements of several kinds. */
export function of(
  table: BuiltCalls['table'],
  verbs: readonly Verb[],
  paths: string,
): readonly BuiltCalls[] {
  return [{ paths: paths.split(' '), verbs, behind: {}, table }];
}
