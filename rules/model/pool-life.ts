/** Drivers whose pools and clients live as long as the process. Others speak over WebSockets or HTTP, where a connection may not outlive its request. */
export const longLivedDrivers: ReadonlySet<string> = new Set(['pg', 'pg-pool']);

/** Drivers whose pools emit 'error' for idle clients and take `connectionTimeoutMillis`. Fact: pg-pool 3.14 `index.js`; Neon's `Pool` extends it. */
export const classicPools: ReadonlySet<string> = new Set([
  'pg',
  'pg-pool',
  '@neondatabase/serverless',
]);

/** What such a pool does without these options; a connection timeout of 0 is none. Fact: pg-pool 3.14 `index.js`, and the copy of it in `@neondatabase/serverless` 1.2. */
export const defaultsOfPool = {
  max: 10,
  connectionTimeoutMillis: 0,
  idleTimeoutMillis: 10_000,
} as const;

/** What a pool or a client has of its own; a name that is missing here may do anything. Fact: pg-pool 3.14 `index.js`, pg 8.23 `client.js`. */
export const plainMembers: ReadonlySet<string> = new Set([
  ...[
    'query',
    'connect',
    'end',
    'totalCount',
    'idleCount',
    'waitingCount',
    'expiredCount',
    'options',
    'ended',
    'ending',
    'release',
    'escapeIdentifier',
    'escapeLiteral',
    'processID',
  ],
  ...['_clients', '_idle', '_pendingQueue', '_pulseQueue', '_isFull', '_isAboveMin', '_remove'],
  ...[
    'emit',
    'eventNames',
    'listeners',
    'off',
    'removeListener',
    'removeAllListeners',
    'listenerCount',
    'setMaxListeners',
  ],
]);

/** How an EventEmitter is told whom to call. */
export const listenMethods: ReadonlySet<string> = new Set([
  'on',
  'once',
  'addListener',
  'prependListener',
  'prependOnceListener',
]);

/**
 * Functions and classes of packages that take a pool, or what has one, and add no listener to it: package, exported name, then the members
 * of the result by which somebody gets at the pool; `*` where nobody does. Fact: `drizzle-orm` 0.45 `node-postgres/driver.js`, `kysely`
 * 0.28 `dialect/postgres/postgres-driver.js`.
 */
export const bystanders: Readonly<
  Record<string, Readonly<Record<string, readonly (readonly string[])[]>>>
> = {
  'drizzle-orm/node-postgres': { drizzle: [['$client'], ['*']] },
  kysely: { PostgresDialect: [['*']], Kysely: [['*']] },
};

/** What ends the pool of such an object. Fact: `kysely` 0.28 `kysely.js`. */
export const endingMembers: ReadonlySet<string> = new Set(['destroy']);

/** Variables of the environment that tell tests and developers' machines from servers. Fact: Node.js convention, Vitest, Jest. */
export const stageVariables: ReadonlySet<string> = new Set([
  'NODE_ENV',
  'VITEST',
  'JEST_WORKER_ID',
  'CI',
]);

/** Folders and names of files whose code runs once and ends: tests, scripts, migrations, tools. */
const sidePaths =
  /(?:^|[\\/])(?:tests?|__tests?__|__mocks__|mocks?|specs?|e2e|cypress|playwright|fixtures?|testing|test-utils?|bench(?:es|marks?)?|scripts?|bin|cli|tools?|tooling|tasks?|migrations?|migrate|seeds?|seeders?|examples?|samples?|sandbox|playground|benchmarking|stories)[\\/]|(?:^|[\\/._-])(?:tests?|spec|e2e|bench(?:mark)?|seed(?:er|s|ing)?|migrate|migrations?|setup|teardown|script|reset|init|install|import|export|backfill|cli|fixtures?|mock)[._-][^\\/]{0,255}$|(?:^|[\\/])[^\\/]*(?:Test|Spec|Seeder|Migration)s?\.[cm]?[jt]sx?$/iu;

/** `path` is below the project's folder, because folders above it say nothing. */
export function isSidePath(path: string): boolean {
  return sidePaths.test(path);
}
