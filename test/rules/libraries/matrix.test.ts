import { describe } from 'vitest';
import { checkRule, type Sample } from '../../support/marked.ts';

/** How a library's handle is made, opened and queried. */
interface Library {
  readonly name: string;
  readonly imports: string;
  readonly make: string;
  readonly type: string;
  readonly open: (handle: string, inner: string) => string;
  readonly query: (handle: string) => string;
  /** What of that query is reported. */
  readonly request: (handle: string) => string;
}

const libraries: readonly Library[] = [
  {
    name: 'Drizzle',
    imports:
      "import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';\nimport { Pool } from 'pg';",
    make: 'drizzle(new Pool())',
    type: 'NodePgDatabase',
    open: (handle, inner) => `${handle}.transaction(async (${inner}) => {`,
    query: (handle) => `${handle}.insert(logs).values({ name })`,
    request: (handle) => `${handle}.insert(logs)`,
  },
  {
    name: 'Prisma',
    imports: "import { PrismaClient } from '@prisma/client';",
    make: 'new PrismaClient()',
    type: 'PrismaClient',
    open: (handle, inner) => `${handle}.$transaction(async (${inner}) => {`,
    query: (handle) => `${handle}.log.create({ data: { name } })`,
    request: (handle) => `${handle}.log.create({ data: { name } })`,
  },
  {
    name: 'Kysely',
    imports: "import { Kysely } from 'kysely';",
    make: 'new Kysely<DB>({ dialect })',
    type: 'Kysely<DB>',
    open: (handle, inner) => `${handle}.transaction().execute(async (${inner}) => {`,
    query: (handle) => `${handle}.insertInto('logs').values({ name }).execute()`,
    request: (handle) => `${handle}.insertInto('logs')`,
  },
  {
    name: 'Knex',
    imports: "import knex, { type Knex } from 'knex';",
    make: "knex({ client: 'pg' })",
    type: 'Knex',
    open: (handle, inner) => `${handle}.transaction(async (${inner}) => {`,
    query: (handle) => `${handle}('logs').insert({ name })`,
    request: (handle) => `${handle}('logs')`,
  },
  {
    name: 'postgres.js',
    imports: "import postgres, { type Sql } from 'postgres';",
    make: 'postgres(process.env.URL)',
    type: 'Sql',
    open: (handle, inner) => `${handle}.begin(async (${inner}) => {`,
    query: (handle) => `${handle}\`INSERT INTO logs VALUES (\${name})\``,
    request: (handle) => `${handle}\`INSERT INTO logs VALUES (\${name})\``,
  },
  {
    name: 'Bun',
    imports: "import { SQL } from 'bun';",
    make: 'new SQL(process.env.URL)',
    type: 'SQL',
    open: (handle, inner) => `${handle}.begin(async (${inner}) => {`,
    query: (handle) => `${handle}\`INSERT INTO logs VALUES (\${name})\``,
    request: (handle) => `${handle}\`INSERT INTO logs VALUES (\${name})\``,
  },
  {
    name: 'Slonik',
    imports: "import { createPool, type DatabasePool } from 'slonik';",
    make: 'await createPool(url)',
    type: 'DatabasePool',
    open: (handle, inner) => `${handle}.transaction(async (${inner}) => {`,
    query: (handle) => `${handle}.query(text)`,
    request: (handle) => `${handle}.query(text)`,
  },
  {
    name: 'pg-promise',
    imports: "import pgPromise, { type IDatabase } from 'pg-promise';",
    make: 'pgPromise()(url)',
    type: 'IDatabase<{}>',
    open: (handle, inner) => `${handle}.tx(async (${inner}) => {`,
    query: (handle) => `${handle}.none('INSERT')`,
    request: (handle) => `${handle}.none('INSERT')`,
  },
  {
    name: '@databases/pg',
    imports: "import createConnectionPool, { type ConnectionPool } from '@databases/pg';",
    make: 'createConnectionPool(url)',
    type: 'ConnectionPool',
    open: (handle, inner) => `${handle}.tx(async (${inner}) => {`,
    query: (handle) => `${handle}.query(text)`,
    request: (handle) => `${handle}.query(text)`,
  },
];

interface Way {
  readonly files?: (library: Library) => Readonly<Record<string, string>>;
  readonly header: string;
  /** What names the handle in the file. */
  readonly handle?: string;
  /** What stands around the function, which may be a method. */
  readonly before?: string;
  readonly after?: string;
  /** The call inside, or the query itself where none is given. */
  readonly call?: string;
  /** Nothing is reported. */
  readonly isRight?: true;
}

const own = '{IMPORTS}\nconst db = {MAKE};\n';
const database = ({ imports, make }: Library): Readonly<Record<string, string>> => ({
  'db.ts': `${imports}\nexport const db = ${make};\n`,
});
const imported = "import { db } from './db';\n";
const method = (handle: string) => (library: Library) =>
  `  async log(name) {\n    await ${library.query(handle)};\n  }\n`;

const ways: Readonly<Record<string, Way>> = {
  direct: { header: own },
  'a singleton of another file': { files: database, header: imported },
  'a helper of the same file': {
    header: `${own}async function log(name) {\n  await {QUERY db};\n}\n`,
    call: 'log(name)',
  },
  'a helper of another file': {
    files: (library) => ({
      ...database(library),
      'log.ts': `import { db } from './db';\nexport async function log(name) {\n  await ${library.query('db')};\n}\n`,
    }),
    header: `${imported}import { log } from './log';\n`,
    call: 'log(name)',
  },
  'a helper that gives the query back, two files away': {
    files: (library) => ({
      ...database(library),
      'log.ts': `import { db } from './db';\nexport const log = (name) => ${library.query('db')};\n`,
      'note.ts':
        "import { log } from './log';\nexport function note(name) {\n  return log(name);\n}\n",
    }),
    header: `${imported}import { note } from './note';\n`,
    call: 'note(name)',
  },
  'an exported object of functions': {
    files: (library) => ({
      ...database(library),
      'logs.ts': `import { db } from './db';\nexport const logs = {\n${method('db')(library)}};\n`,
    }),
    header: `${imported}import { logs as journal } from './logs';\n`,
    call: 'journal.log(name)',
  },
  'a namespace of another file': {
    files: (library) => ({
      ...database(library),
      'logs.ts': `import { db } from './db';\nexport async function log(name) {\n  await ${library.query('db')};\n}\n`,
    }),
    header: `${imported}import * as journal from './logs';\n`,
    call: 'journal.log(name)',
  },
  'an instance that is exported by default': {
    files: (library) => ({
      ...database(library),
      'logs.ts': `import { db } from './db';\nclass Logs {\n${method('db')(library)}}\nexport default new Logs();\n`,
    }),
    header: `${imported}import journal from './logs';\n`,
    call: 'journal.log(name)',
  },
  'a static method': {
    files: (library) => ({
      ...database(library),
      'logs.ts': `import { db } from './db';\nexport class Logs {\n  static${method('db')(library)}}\n`,
    }),
    header: `${imported}import { Logs } from './logs';\n`,
    call: 'Logs.log(name)',
  },
  'an injected service that imports the handle': {
    files: (library) => ({
      ...database(library),
      'logs.service.ts': `import { Injectable } from '@nestjs/common';\nimport { db } from './db';\n@Injectable()\nexport class LogsService {\n${method('db')(library)}}\n`,
    }),
    header: `${imported}import { LogsService } from './logs.service';\n`,
    before:
      'export class Users {\n  constructor(private readonly logs: LogsService) {}\n  async run(name, data, text) {\n',
    after: '  }\n}\n',
    call: 'this.logs.log(name)',
  },
  'a service that another service calls': {
    files: (library) => ({
      ...database(library),
      'logs.service.ts': `import { db } from './db';\nexport class LogsService {\n${method('db')(library)}}\n`,
      'audit.service.ts':
        "import { LogsService } from './logs.service';\nexport class AuditService {\n  constructor(private readonly logs: LogsService) {}\n  async audit(name) {\n    await this.logs.log(name);\n  }\n}\n",
    }),
    header: `${imported}import { AuditService } from './audit.service';\n`,
    before:
      'export class Users {\n  constructor(private readonly audit: AuditService) {}\n  async run(name, data, text) {\n',
    after: '  }\n}\n',
    call: 'this.audit.audit(name)',
  },
  'a class with the handle in a field': {
    files: database,
    header: imported,
    before: 'export class Users {\n  private readonly db = db;\n  async run(name, data, text) {\n',
    after: '  }\n  private async log(name) {\n    await {QUERY this.db};\n  }\n}\n',
    handle: 'this.db',
    call: 'this.log(name)',
  },
  'a repository with the handle in a field': {
    files: (library) => ({
      ...database(library),
      'logs.ts': `import { db } from './db';\nexport class LogsRepository {\n  private db = db;\n${method('this.db')(library)}}\n`,
    }),
    header: `${imported}import { LogsRepository } from './logs';\nconst repository = new LogsRepository();\n`,
    call: 'repository.log(name)',
  },
  'a repository that is given the handle': {
    files: (library) => ({
      ...database(library),
      'logs.ts': `${library.imports}\nexport class LogsRepository {\n  constructor(private readonly db: ${library.type}) {}\n${method('this.db')(library)}}\n`,
    }),
    header: `${imported}import { LogsRepository } from './logs';\n`,
    call: 'new LogsRepository(tx).log(name)',
    isRight: true,
  },
  'a getter function': {
    files: ({ imports, make }) => ({
      'db.ts': `${imports}\nlet db;\nexport function getDb() {\n  db ??= ${make};\n  return db;\n}\n`,
    }),
    header: "import { getDb } from './db';\n",
    handle: 'getDb()',
  },
  'a getter function that a helper asks': {
    files: (library) => ({
      'db.ts': `${library.imports}\nconst db = ${library.make};\nexport const getDb = () => db;\n`,
      'log.ts': `import { getDb } from './db';\nexport async function log(name) {\n  const handle = getDb();\n  await ${library.query('handle')};\n}\n`,
    }),
    header: "import { getDb } from './db';\nimport { log } from './log';\nconst db = getDb();\n",
    call: 'log(name)',
  },
  'a parameter with the handle as its default': {
    files: (library) => ({
      ...database(library),
      'log.ts': `import { db } from './db';\nexport async function log(name, handle = db) {\n  await ${library.query('handle')};\n}\n`,
    }),
    header: `${imported}import { log } from './log';\n`,
    call: 'log(name)',
  },
  'a parameter with the handle as its default, given the inner one': {
    files: (library) => ({
      ...database(library),
      'log.ts': `import { db } from './db';\nexport async function log(name, handle = db) {\n  await ${library.query('handle')};\n}\n`,
    }),
    header: `${imported}import { log } from './log';\n`,
    call: 'log(name, tx)',
    isRight: true,
  },
  'a parameter that is given the outer handle': {
    files: (library) => ({
      ...database(library),
      'log.ts': `${library.imports}\nexport async function log(handle: ${library.type}, name) {\n  await ${library.query('handle')};\n}\n`,
    }),
    header: `${imported}import { log } from './log';\n`,
    call: 'log(db, name)',
  },
  'a parameter that is given the inner handle': {
    files: (library) => ({
      ...database(library),
      'log.ts': `${library.imports}\nexport async function log(handle: ${library.type}, name) {\n  await ${library.query('handle')};\n}\n`,
    }),
    header: `${imported}import { log } from './log';\n`,
    call: 'log(tx, name)',
    isRight: true,
  },
  'what a global keeps over reloads': {
    files: ({ imports, make }) => ({
      'db.ts': `${imports}\nconst kept = globalThis as unknown as { db: unknown };\nexport const db = kept.db ?? ${make};\nif (process.env.NODE_ENV !== 'production') kept.db = db;\n`,
    }),
    header: imported,
  },
  'the inner handle or the outer one': {
    files: (library) => ({
      ...database(library),
      'log.ts': `import { db } from './db';\nexport async function log(name, tx?) {\n  const handle = tx ?? db;\n  await ${library.query('handle')};\n}\n`,
    }),
    header: `${imported}import { log } from './log';\n`,
    call: 'log(name, tx)',
    isRight: true,
  },
  'the inner handle or the outer one, not given': {
    files: (library) => ({
      ...database(library),
      'log.ts': `import { db } from './db';\nexport async function log(name, tx?) {\n  const handle = tx ?? db;\n  await ${library.query('handle')};\n}\n`,
    }),
    header: `${imported}import { log } from './log';\n`,
    call: 'log(name)',
  },
  'the transaction under the name of the handle': {
    files: database,
    header: imported,
    isRight: true,
  },
};

function sampleOf(name: string, way: Way, library: Library): Sample {
  const { header, handle = 'db', before, after, call, isRight } = way;
  const fill = (text: string): string =>
    text
      .replace('{IMPORTS}', library.imports)
      .replace('{MAKE}', () => library.make)
      .replace(/\{QUERY ([\w.]+)\}/u, (_, named: string) => library.query(named));
  const statement = call ?? library.query(handle);
  const place = call ?? library.request(handle);
  const inner = name === 'the transaction under the name of the handle' ? 'db' : 'tx';
  const line = `    await ${statement};`;
  const mark = `//${' '.repeat(8)}${'^'.repeat(place.length)} ${call === undefined ? 'outside' : 'outsideInHelper'}`;
  return {
    name: `${library.name}: ${name}`,
    header: '',
    files: way.files?.(library) ?? {},
    code: [
      fill(header),
      fill(before ?? 'export async function run(name, data, text) {'),
      `  await ${library.open(handle, inner)}`,
      line,
      ...(isRight ? [] : [mark]),
      '  });',
      fill(after ?? '}'),
    ].join('\n'),
  };
}

describe('each library, in each way to its handle', () => {
  for (const library of libraries)
    checkRule(
      'no-nested-checkout',
      Object.entries(ways).map(([name, way]) => sampleOf(name, way, library)),
    );
});
