import { describe } from 'vitest';
import { checkRule, type Sample } from '../../support/marked.ts';

/** A way to declare what a container gives. */
interface Way {
  readonly imports: string;
  readonly param: string;
  /** The providers that the program has. */
  readonly files: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly open?: string;
}

const drizzleType = `import type { NodePgDatabase } from 'drizzle-orm/node-postgres';`;
const kyselyType = `import type { Kysely } from 'kysely';`;
const tokens = {
  'tokens.ts': `export const DRIZZLE = Symbol('drizzle');
export const TYPES = { Db: Symbol('db') };`,
};

function moduleWith(...providers: readonly string[]): string {
  return `
import { Module } from '@nestjs/common';
import { drizzle } from 'drizzle-orm/node-postgres';
import { DRIZZLE, TYPES } from './tokens';
@Module({ providers: [${providers.join(', ')}] })
export class DatabaseModule {}`;
}

const provided = {
  'db.module.ts': moduleWith('{ provide: DRIZZLE, useFactory: () => drizzle(url) }'),
};

const databaseService = (decorator = '@Injectable()'): Readonly<Record<string, string>> => ({
  'database.service.ts': `
import { Injectable, Scope } from '@nestjs/common';
import { drizzle } from 'drizzle-orm/node-postgres';
${decorator}
export class DatabaseService {
  readonly db = drizzle(process.env.URL);
}`,
});

const serviceWay: Way = {
  imports: `import { DatabaseService } from './database.service';`,
  param: 'private readonly database: DatabaseService',
  files: {
    ...databaseService(),
    'db.module.ts': `@Module({ providers: [DatabaseService], exports: [DatabaseService] })\nexport class DbModule {}`,
  },
  open: 'this.database.db.transaction(async (tx) => {',
  query: 'await this.database.db.insert(audit).values(row)',
};

const one: Readonly<Record<string, Way>> = {
  'a token of another file': {
    imports: `${drizzleType}\nimport { DRIZZLE } from './tokens';`,
    param: '@Inject(DRIZZLE) private readonly db: NodePgDatabase',
    files: { ...tokens, ...provided },
  },
  'a token that is handed on': {
    imports: `${drizzleType}\nimport { DRIZZLE } from './index';`,
    param: '@Inject(DRIZZLE) private readonly db: NodePgDatabase',
    files: { ...tokens, ...provided, 'index.ts': `export * from './tokens';` },
  },
  'a token that is a member': {
    imports: `${drizzleType}\nimport { TYPES } from './tokens';`,
    param: '@inject(TYPES.Db) private readonly db: NodePgDatabase',
    files: tokens,
  },
  'a token that is a text': {
    imports: drizzleType,
    param: `@Inject('DB') private readonly db: NodePgDatabase`,
    files: { 'db.module.ts': moduleWith(`{ provide: 'DB', useFactory }`) },
  },
  'a type of its own': {
    imports: `import type { Db } from './types';`,
    param: `@Inject('DB') private readonly db: Db`,
    files: { 'types.ts': `${drizzleType}\nexport type Db = NodePgDatabase<typeof schema>;` },
  },
  'a decorator of its own': {
    imports: `${drizzleType}\nimport { InjectDb } from './inject-db';`,
    param: '@InjectDb() private readonly db: NodePgDatabase',
    files: {
      ...tokens,
      ...provided,
      'inject-db.ts': `import { Inject } from '@nestjs/common';
import { DRIZZLE } from './tokens';
export const InjectDb = () => Inject(DRIZZLE);`,
    },
  },
  'a decorator of a package': {
    imports: `${kyselyType}\nimport { InjectKysely } from 'nestjs-kysely';`,
    param: '@InjectKysely() private readonly db: Kysely<Database>',
    files: {},
    open: 'this.db.transaction().execute(async (tx) => {',
    query: `await this.db.insertInto('audit').values(row).execute()`,
  },
  'a service that keeps it': serviceWay,
};

const two: Readonly<Record<string, Way>> = {
  'a token that is provided twice': {
    imports: `${drizzleType}\nimport { DRIZZLE } from './tokens';`,
    param: '@Inject(DRIZZLE) private readonly db: NodePgDatabase',
    files: {
      ...tokens,
      ...provided,
      'other.module.ts': moduleWith('{ provide: DRIZZLE, useFactory: () => drizzle(other) }'),
    },
  },
  'a token that is provided for each request': {
    imports: `${drizzleType}\nimport { DRIZZLE } from './tokens';`,
    param: '@Inject(DRIZZLE) private readonly db: NodePgDatabase',
    files: {
      ...tokens,
      'db.module.ts': moduleWith(
        '{ provide: DRIZZLE, useFactory: (request) => drizzle(urlOf(request)), scope: Scope.REQUEST }',
      ),
    },
  },
  'no container': {
    imports: drizzleType,
    param: 'private readonly db: NodePgDatabase',
    files: {},
  },
  'a service of each request': {
    ...serviceWay,
    files: databaseService('@Injectable({ scope: Scope.REQUEST })'),
  },
  'a service that nobody injects': { ...serviceWay, files: databaseService('') },
  'a service of each module': {
    ...serviceWay,
    files: {
      ...databaseService(),
      'a.module.ts': `@Module({ providers: [A, DatabaseService] })\nexport class AModule {}`,
      'b.module.ts': `@Module({ providers: [B, DatabaseService] })\nexport class BModule {}`,
    },
  },
};

function sampleOf(name: string, way: Way, isOne: boolean, other = way.param): Sample {
  const {
    imports,
    param,
    files,
    open = 'this.db.transaction(async (tx) => {',
    query = 'await this.db.insert(audit).values(row)',
  } = way;
  const nest = `import { Inject, Injectable } from '@nestjs/common';\nimport { inject } from 'inversify';`;
  return {
    name,
    header: '',
    files: {
      ...files,
      'audit.service.ts': `
${nest}
${imports}
@Injectable()
export class AuditService {
  constructor(${other}) {}
  async write(row) {
    ${query};
  }
}`,
    },
    code: `
${nest}
${imports}
import { AuditService } from './audit.service';
@Injectable()
export class UsersService {
  constructor(${param}, private readonly audit: AuditService) {}
  async create(row) {
    await ${open}
      await this.audit.write(row);
${isOne ? '      //    ^^^^^^^^^^^^^^^^^^^^^ outsideInHelper' : ''}
    });
  }
}`,
  };
}

describe('a handle that a container gives to two classes', () => {
  checkRule(
    'no-nested-checkout',
    Object.entries(one).map(([name, way]) => sampleOf(name, way, true)),
  );
});

describe('handles of which a container may have several', () => {
  checkRule('no-nested-checkout', [
    ...Object.entries(two).map(([name, way]) => sampleOf(name, way, false)),
    sampleOf(
      'two tokens',
      {
        imports: drizzleType,
        param: `@Inject('DB') private readonly db: NodePgDatabase`,
        files: {},
      },
      false,
      `@Inject('LOGS') private readonly db: NodePgDatabase`,
    ),
  ]);
});
