import type {
  Ambient,
  Derives,
  Given,
  Lends,
  Library,
  Models,
  Path,
  Postgresql,
} from './library.ts';
import type { Protocol } from './protocols.ts';

export const noCurrent: Ambient['current'] = { members: [], decorators: [] };

/** `?`, `??`, `:name` and `:name:` in a text, which is no cast: Knex 3.3 `lib/raw.js`, Sequelize 6.37 `lib/utils/sql.js`. */
export const questionMarks = /\?\??|(?<![:\w]):[a-z_]\w*:?/giu;

/** What the handles of these libraries have of their own (knex 3.3 `transaction.js`, sequelize 6.37 `transaction.js`, kysely 0.29 `kysely.ts`, pg-promise 12.7 `connect.js`). */
const handleProperties: readonly string[] = [
  'done',
  'isCompleted',
  'isTransaction',
  'executionPromise',
  'client',
  'context',
  'userParams',
  'transaction',
  'finished',
  'parent',
  'id',
  'name',
  'options',
  'sequelize',
  'isolationLevel',
  'savepoints',
  'isCommitted',
  'isRolledBack',
  'isReserved',
];

const noDriver: Protocol = {
  database: 'any',
  acquire: '',
  gives: 'promise',
  isUnmistakable: false,
  opens: null,
  usedBy: [],
  queries: [],
  promises: 'always',
  transactions: {},
  releases: [],
  isTransaction: false,
  properties: handleProperties,
  ends: [],
  endsAll: [],
  takesBack: null,
  views: [],
  tellsReleased: {},
  tellsTransaction: null,
  closesByArgument: false,
  dropsBroken: true,
  poolless: [],
  limit: 'max',
  secondRelease: null,
  lateQuery: '',
};

export const noDerived: Derives = { members: [], methods: [], alike: null };

export const noModels: Models = {
  classes: [],
  functions: [],
  finds: [],
  lists: [],
  madeBy: [],
  bound: null,
  binders: { all: [], one: [] },
  keptIn: null,
  relations: {},
  verbs: {},
};

export const postgresqlOnly: Postgresql = { only: true, option: '', values: [], classes: [] };

/** The option by which a handle is told its database. */
export function toldPostgresql(
  option: string,
  values: readonly string[],
  classes: readonly string[] = [],
): Postgresql {
  return { only: false, option, values, classes };
}

export const row: Omit<Library, 'name' | 'module' | 'lends' | 'sends' | 'together'> = {
  ...noDriver,
  poolClasses: [],
  poolFactories: [],
  pools: [],
  clientTypes: [],
  connectionClasses: [],
  begins: [],
  tags: [],
  texts: [],
  fills: null,
  builds: null,
  isLazy: false,
  sentBy: [],
  carries: null,
  boundBy: [],
  mayBind: {},
  isTold: false,
  makers: [],
  over: null,
  generates: null,
  notInside: [],
  lendsUnmistakably: false,
  joins: false,
  queriesJoin: null,
  unawaited: null,
  keepsSession: false,
  postgresql: toldPostgresql('', []),
  outlivesCallback: false,
  nestedTogether: null,
  derives: noDerived,
  lendable: [],
  lendableOf: null,
  models: noModels,
  byName: [],
  poolsOf: null,
  adapters: {},
  holds: [],
  ambient: null,
};

export function transactions(...paths: readonly Path[]): readonly Lends[] {
  return paths.map((path) => ({ path, by: null, opens: true, gives: 'first' }));
}

/** Methods that take their connection as the argument at a position. */
export function asArgument(
  at: number,
  ...methods: readonly string[]
): Readonly<Record<string, Given>> {
  return Object.fromEntries(methods.map((method) => [method, { at, option: null }]));
}

/** Methods that take their connection as an option of the argument at a position. */
export function asOption(
  option: string,
  at: number,
  ...methods: readonly string[]
): Readonly<Record<string, Given>> {
  return Object.fromEntries(methods.map((method) => [method, { at, option }]));
}

export function connections(...paths: readonly Path[]): readonly Lends[] {
  return paths.map((path) => ({ path, by: null, opens: false, gives: 'first' }));
}

/** One row for each entry point of a package. */
export function under(
  modules: readonly string[],
  library: Omit<Library, 'module'>,
): readonly Library[] {
  return modules.map((module) => ({ ...library, module }));
}

/** A transaction that is ended by hand; a second end does no harm to others in any library. */
export const endedByHand: Pick<Library, 'releases' | 'isTransaction'> = {
  releases: ['commit', 'rollback'],
  isTransaction: true,
};

/** PostgreSQL answers a COMMIT in a failed transaction with ROLLBACK, and no error (PostgreSQL, COMMIT). */
export const rolledBackUnseen = 'if it fails, everything is silently rolled back';

/** Of a library that has work to do before it sends a query. */
export const tooLateOrUnseen = 'it rejects too late, or silently rolls everything back';

/** Of a handle that sends whatever it is asked, whoever has its connection. */
export const runsAllTheSame = "it may run on another caller's connection";

export const queued = 'if one fails, the others may outlive the transaction';
