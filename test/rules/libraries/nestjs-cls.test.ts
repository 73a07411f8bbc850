import { describe } from 'vitest';
import { checkRule, type Sample } from '../../support/marked.ts';

const typeormModule = `
import { ClsPluginTransactional } from '@nestjs-cls/transactional';
import { TransactionalAdapterTypeOrm } from '@nestjs-cls/transactional-adapter-typeorm';
import { DataSource } from 'typeorm';
export const plugin = new ClsPluginTransactional({
  adapter: new TransactionalAdapterTypeOrm({ dataSourceToken: DataSource }),
});`;

const helpers = `
import { Injectable } from '@nestjs/common';
import { DataSource, Repository } from 'typeorm';
import { InjectRepository } from '@nestjs/typeorm';
import { Propagation, Transactional, TransactionHost } from '@nestjs-cls/transactional';
import { TransactionalAdapterTypeOrm } from '@nestjs-cls/transactional-adapter-typeorm';
import { Audit } from './audit.entity';
@Injectable()
export class AuditService {
  constructor(
    @InjectRepository(Audit) private readonly audits: Repository<Audit>,
    private readonly txHost: TransactionHost<TransactionalAdapterTypeOrm>,
  ) {}
  @Transactional()
  async join(what: string) {
    await this.txHost.tx.save(Audit, { what });
  }
  @Transactional(Propagation.RequiresNew)
  async apart(what: string) {
    await this.txHost.tx.save(Audit, { what });
  }
  @Transactional(Propagation.Nested)
  async nested(what: string) {
    await this.txHost.tx.save(Audit, { what });
  }
  @Transactional('logs', Propagation.RequiresNew)
  async logged(what: string) {
    await this.txHost.tx.save(Audit, { what });
  }
  @Transactional()
  async outer(what: string) {
    await this.audits.save({ what });
    //    ^^^^^^^^^^^^^^^^^^^^^^^^^^ outside
  }
  async plain(what: string) {
    await this.audits.save({ what });
  }
  async byHost(what: string) {
    await this.txHost.tx.getRepository(Audit).save({ what });
  }
  async within(what: string) {
    await this.txHost.withTransaction(async () => {
      await this.txHost.tx.save(Audit, { what });
    });
  }
  manager() {
    return this.txHost.tx;
  }
  defaultManager() {
    return this.txHost.tx.connection.manager;
  }
}`;

const service = (decorator: string, lines: string): string => `
import { Injectable } from '@nestjs/common';
import { InjectRepository, InjectDataSource } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import { InjectTransaction, Propagation, Transaction, TransactionHost, Transactional } from '@nestjs-cls/transactional';
import { TransactionalAdapterTypeOrm } from '@nestjs-cls/transactional-adapter-typeorm';
import { AuditService } from './audit.service';
import { Order } from './order.entity';
@Injectable()
export class Orders {
  constructor(
    private readonly dataSource: DataSource,
    @InjectDataSource('logs') private readonly logs: DataSource,
    @InjectRepository(Order) private readonly orders: Repository<Order>,
    private readonly txHost: TransactionHost<TransactionalAdapterTypeOrm>,
    @InjectTransaction() private readonly tx: Transaction<TransactionalAdapterTypeOrm>,
    @InjectTransaction() private readonly em: EntityManager,
    private readonly audit: AuditService,
  ) {}
  ${decorator}
  async create(data: Order) {
${lines}
  }
}`;

/** A statement with a mark under what stands between « and ». */
function marked(statement: string, messageId: string): string {
  const line = `    await ${statement.replace(/[«»]/gu, '')};`;
  const start = `    await ${statement}`.indexOf('«');
  const length = statement.indexOf('»') - statement.indexOf('«') - 1;
  return length < 0
    ? line
    : `${line}\n//${' '.repeat(start - 2)}${'^'.repeat(length)} ${messageId}`;
}

const sample = (name: string, code: string, module = typeormModule): Sample => ({
  name,
  code,
  header: '',
  files: { 'audit.service.ts': helpers, 'database.module.ts': module, 'package.json': '{}' },
});

const inTransaction: readonly (readonly [statement: string, messageId: string])[] = [
  ['«this.orders.save(data)»', 'outside'],
  ['«this.orders.createQueryBuilder("o")».getMany()', 'outside'],
  ['«this.dataSource.query("SELECT 1")»', 'outside'],
  ['«this.dataSource.manager.save(data)»', 'outside'],
  ['«this.dataSource.transaction(async (m) => m.save(data))»', 'outside'],
  ['«this.txHost.tx.connection.manager.save(data)»', 'outside'],
  ['«this.audit.defaultManager().save(data)»', 'outside'],
  ['«this.audit.apart("a")»', 'outsideInHelper'],
  ['«this.audit.outer("a")»', 'outsideInHelper'],
  ['«this.audit.plain("a")»', 'outsideInHelper'],
  [
    '«this.txHost.withTransaction(Propagation.RequiresNew, async () => this.txHost.tx.save(data))»',
    'outside',
  ],
  ['this.txHost.tx.save(data)', ''],
  ['this.txHost.tx.getRepository(Order).save(data)', ''],
  ['this.txHost.tx.withRepository(this.orders).save(data)', ''],
  ['this.txHost.tx.transaction(async (m) => m.save(data))', ''],
  ['this.tx.save(data)', ''],
  ['this.em.save(data)', ''],
  ['this.logs.query("SELECT 1")', ''],
  ['this.audit.join("a")', ''],
  ['this.audit.nested("a")', ''],
  ['this.audit.logged("a")', ''],
  ['this.audit.byHost("a")', ''],
  ['this.audit.within("a")', ''],
  ['this.audit.manager().save(data)', ''],
  ['this.txHost.withTransaction(async () => this.txHost.tx.save(data))', ''],
  ['this.txHost.withTransaction({ isolationLevel }, async () => this.txHost.tx.save(data))', ''],
];

describe('a method that nestjs-cls runs in a transaction', () => {
  checkRule(
    'no-nested-checkout',
    inTransaction.map(([statement, messageId]) =>
      sample(statement, service('@Transactional()', marked(statement, messageId))),
    ),
  );
  checkRule('no-nested-checkout', [
    sample('the service itself', helpers),
    ...[
      ['options', '@Transactional({ isolationLevel: "SERIALIZABLE" })'],
      ['a propagation and options', '@Transactional(Propagation.Required, {})'],
      ['a propagation that takes a transaction of its own', '@Transactional("REQUIRES_NEW")'],
    ].map(([name = '', decorator = '']) =>
      sample(name, service(decorator, marked('«this.orders.save(data)»', 'outside'))),
    ),
    ...[
      ['the transaction of another connection', '@Transactional("logs")'],
      ['no transaction', '@Transactional(Propagation.NotSupported)'],
      ['a transaction only around another one', '@Transactional(Propagation.Supports)'],
      ['a propagation that does not show', '@Transactional(propagation)'],
      ['no decorator', ''],
    ].map(([name = '', decorator = '']) =>
      sample(name, service(decorator, marked('this.orders.save(data)', ''))),
    ),
    sample(
      'a program whose adapter speaks to other pools',
      service('@Transactional()', marked('this.orders.save(data)', '')).replaceAll(
        'adapter-typeorm',
        'adapter-knex',
      ),
      typeormModule.replaceAll('adapter-typeorm', 'adapter-knex'),
    ),
    sample(
      'a program with two adapters',
      service('@Transactional()', marked('this.orders.save(data)', '')),
      `${typeormModule}\nimport { TransactionalAdapterKnex } from '@nestjs-cls/transactional-adapter-knex';`,
    ),
  ]);
  checkRule('no-external-await-while-holding', [
    sample(
      'a request in the method',
      service(
        '@Transactional()',
        `    await fetch(url);
  //^^^^^^^^^^^^^^^^ inTransaction`,
      ),
    ),
    sample(
      'a request where nothing is held',
      service('@Transactional(Propagation.Supports)', '    await fetch(url);'),
    ),
  ]);
});

const within = (lines: string): string =>
  service('', `    await this.txHost.withTransaction(async () => {\n${lines}\n    });`);

describe('a callback that nestjs-cls runs in a transaction', () => {
  checkRule('no-nested-checkout', [
    sample(
      'a repository, and the host',
      within(`      await this.txHost.tx.save(data);
      await this.orders.save(data);
      //    ^^^^^^^^^^^^^^^^^^^^^^ outside
      await this.audit.join('a');`),
    ),
    sample(
      'a decorated method in a transaction of the data source',
      service(
        '',
        `    await this.dataSource.transaction(async (m) => {
      await m.save(data);
      await this.audit.join('a');
      //    ^^^^^^^^^^^^^^^^^^^^ outsideInHelper
    });`,
      ),
    ),
  ]);
  checkRule('no-external-await-while-holding', [
    sample(
      'a request',
      within(`      await fetch(url);
    //^^^^^^^^^^^^^^^^ inTransaction`),
    ),
  ]);
});

const adapters = {
  prisma: `
import { Module } from '@nestjs/common';
import { ClsPluginTransactional } from '@nestjs-cls/transactional';
import { TransactionalAdapterPrisma } from '@nestjs-cls/transactional-adapter-prisma';
import { PrismaService } from './prisma.service';
export const plugin = new ClsPluginTransactional({
  adapter: new TransactionalAdapterPrisma({ prismaInjectionToken: PrismaService }),
});`,
  kysely: `
import { ClsPluginTransactional } from '@nestjs-cls/transactional';
import { TransactionalAdapterKysely } from '@nestjs-cls/transactional-adapter-kysely';
import { KYSELY } from './tokens';
export const plugin = new ClsPluginTransactional({
  adapter: new TransactionalAdapterKysely({ kyselyInstanceToken: KYSELY }),
});`,
  drizzle: `
import { ClsPluginTransactional } from '@nestjs-cls/transactional';
import { TransactionalAdapterDrizzleOrm } from '@nestjs-cls/transactional-adapter-drizzle-orm';
export const plugin = new ClsPluginTransactional({
  adapter: new TransactionalAdapterDrizzleOrm({ drizzleInstanceToken: 'DRIZZLE' }),
});`,
} as const;

function several(handle: string, messageId?: string): string {
  const statement = `Promise.all([${handle}.find(Order, 1), ${handle}.count(Order)])`;
  return marked(messageId === undefined ? statement : `«${statement}»`, messageId ?? '');
}

describe('several queries at a time in a transaction of nestjs-cls', () => {
  checkRule('no-concurrent-client-query', [
    ...['this.txHost.tx', 'this.tx', 'this.em', 'this.audit.manager()'].map((handle) =>
      sample(handle, service('@Transactional()', several(handle, 'overAmbient'))),
    ),
    sample('in its callback', within(several('this.txHost.tx', 'overAmbient'))),
    ...['this.orders', 'this.dataSource.manager', 'this.audit.defaultManager()'].map((handle) =>
      sample(`not over ${handle}`, service('@Transactional()', several(handle))),
    ),
    sample('where nothing is held', service('', several('this.txHost.tx'))),
    sample(
      'in the transaction of another connection',
      service('@Transactional("logs")', several('this.txHost.tx')),
    ),
    sample(
      'over Prisma, which sends them one by one',
      service('@Transactional()', several('this.txHost.tx.order'))
        .replaceAll('adapter-typeorm', 'adapter-prisma')
        .replaceAll('AdapterTypeOrm', 'AdapterPrisma'),
      adapters.prisma,
    ),
  ]);
});

const services = {
  'prisma.service.ts': `
import { Injectable } from '@nestjs/common';
import { PrismaClient } from '@prisma/client';
@Injectable()
export class PrismaService extends PrismaClient {}
@Injectable()
export class ReportsPrismaService extends PrismaClient {}`,
  'tokens.ts': `
export const KYSELY = Symbol('KYSELY');
export const READS = Symbol('READS');`,
  'package.json': '{}',
};

const users = (constructor: string, lines: string): string => `
import { Inject, Injectable } from '@nestjs/common';
import { InjectTransaction, Transactional, TransactionHost } from '@nestjs-cls/transactional';
import { Kysely } from 'kysely';
import { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { KYSELY, READS } from './tokens';
import { PrismaService, ReportsPrismaService } from './prisma.service';
@Injectable()
export class Users {
  constructor(${constructor}, private readonly txHost: TransactionHost<any>) {}
  @Transactional()
  async create(name: string) {
    await this.txHost.tx.user.create({ data: { name } });
${lines}
  }
}`;

const ofToken = (
  name: string,
  adapter: keyof typeof adapters,
  constructor: string,
  statement: string,
  messageId = '',
): Sample => ({
  name: `${adapter}: ${name}`,
  code: users(constructor, marked(statement, messageId)),
  header: '',
  files: { ...services, 'app.module.ts': adapters[adapter] },
});

describe('what is injected beside the host of transactions', () => {
  checkRule('no-nested-checkout', [
    ofToken(
      'the client itself',
      'prisma',
      'private readonly prisma: PrismaService',
      '«this.prisma.user.findMany()»',
      'outside',
    ),
    ofToken(
      'another client',
      'prisma',
      'private readonly reports: ReportsPrismaService',
      'this.reports.user.findMany()',
    ),
    ofToken(
      'a proxy of the transaction',
      'prisma',
      '@InjectTransaction() private readonly prisma: PrismaService',
      'this.prisma.user.findMany()',
    ),
    ofToken(
      'the handle of its token',
      'kysely',
      '@Inject(KYSELY) private readonly db: Kysely<any>',
      '«this.db.selectFrom("users")».selectAll().execute()',
      'outside',
    ),
    ofToken(
      'the handle of another token',
      'kysely',
      '@Inject(READS) private readonly db: Kysely<any>',
      'this.db.selectFrom("users").selectAll().execute()',
    ),
    ofToken(
      'the handle of a token that is a text',
      'drizzle',
      '@Inject("DRIZZLE") private readonly db: NodePgDatabase',
      '«this.db.select()».from(users)',
      'outside',
    ),
  ]);
});

describe('what two classes are given for one token', () => {
  const audit = `
import { Inject, Injectable } from '@nestjs/common';
import { Kysely } from 'kysely';
import { KYSELY, READS } from './tokens';
@Injectable()
export class Audit {
  constructor(@Inject(KYSELY) private readonly db: Kysely<any>, @Inject(READS) private readonly reads: Kysely<any>) {}
  async write(name: string) {
    await this.db.insertInto('audit').values({ name }).execute();
  }
  async read() {
    return this.reads.selectFrom('audit').selectAll().execute();
  }
}`;
  const orders = (statement: string): Sample => ({
    name: statement,
    code: `
import { Inject, Injectable } from '@nestjs/common';
import { Kysely } from 'kysely';
import { KYSELY } from './tokens';
import { Audit } from './audit';
@Injectable()
export class Orders {
  constructor(@Inject(KYSELY) private readonly db: Kysely<any>, private readonly audit: Audit) {}
  async create(name: string) {
    await this.db.transaction().execute(async (trx) => {
      await trx.insertInto('orders').values({ name }).execute();
${statement}
    });
  }
}`,
    header: '',
    files: { ...services, 'audit.ts': audit },
  });
  checkRule('no-nested-checkout', [
    orders(`      await this.audit.write(name);
      //    ^^^^^^^^^^^^^^^^^^^^^^ outsideInHelper`),
    orders('      await this.audit.read();'),
  ]);
});
