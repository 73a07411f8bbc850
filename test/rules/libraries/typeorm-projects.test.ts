import { describe } from 'vitest';
import { checkRule, type Sample } from '../../support/marked.ts';

const repository = `
import { Injectable } from '@nestjs/common';
import { DataSource, Repository } from 'typeorm';
import { User } from './user.entity';
@Injectable()
export class UsersRepository extends Repository<User> {
  constructor(dataSource: DataSource) {
    super(User, dataSource.createEntityManager());
  }
  findActive() {
    return this.find({ where: { active: true } });
  }
  async countAll() {
    return await this.manager.query('SELECT count(*) FROM users');
  }
}`;

const logsRepository = `
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import { Log } from './log.entity';
export class LogsRepository extends Repository<Log> {
  constructor(@InjectDataSource('logs') dataSource: DataSource) {
    super(Log, dataSource.createEntityManager());
  }
}`;

const audit = `
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, EntityManager } from 'typeorm';
import { Audit } from './audit.entity';
@Injectable()
export class AuditService {
  constructor(@InjectRepository(Audit) private readonly audits: Repository<Audit>) {}
  async record(what: string, manager?: EntityManager) {
    const audits = manager ? manager.getRepository(Audit) : this.audits;
    await audits.save({ what });
  }
  async note(what: string) {
    await this.audits.insert({ what });
  }
}`;

const base = `
import { Repository } from 'typeorm';
export class ModelService<Model> {
  constructor(protected readonly kept: Repository<Model>) {}
}
export class RecordService<Model> extends ModelService<Model> {}`;

const messages = `
import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { RecordService } from './base';
import { Message } from './message.entity';
@Injectable()
export class MessageService extends RecordService<Message> {
  constructor(dataSource: DataSource) { super(dataSource.getRepository(Message)); }
  async find(id: number, options?: { manager?: EntityManager }) {
    const messages = options?.manager?.getRepository(Message) ?? this.kept;
    return messages.findOne({ where: { id } });
  }
}`;

const user = `
import { BaseEntity, Entity, PrimaryGeneratedColumn } from 'typeorm';
@Entity()
export class User extends BaseEntity {
  @PrimaryGeneratedColumn() id: number;
}`;

const files = {
  'users.repository.ts': repository,
  'logs.repository.ts': logsRepository,
  'audit.service.ts': audit,
  'base.ts': base,
  'messages.service.ts': messages,
  'user.ts': user,
};

const service = (body: string, more = ''): string => `
import { Injectable } from '@nestjs/common';
import { InjectRepository, InjectDataSource, InjectEntityManager } from '@nestjs/typeorm';
import { DataSource, EntityManager, Repository } from 'typeorm';
import { AuditService } from './audit.service';
import { LogsRepository } from './logs.repository';
import { MessageService } from './messages.service';
import { Order } from './order.entity';
import { UsersRepository } from './users.repository';
import { User } from './user';
@Injectable()
export class Orders {
  constructor(
    private readonly dataSource: DataSource,
    @InjectRepository(Order) private readonly orders: Repository<Order>,
    @InjectRepository(Order, 'other') private readonly others: Repository<Order>,
    @InjectEntityManager() private readonly manager: EntityManager,
    @InjectDataSource('logs') private readonly logs: DataSource,
    private readonly users: UsersRepository,
    private readonly logged: LogsRepository,
    private readonly audit: AuditService,
    private readonly messages: MessageService,
  ) {}${more}
  async create(data: Order, user: User) {
${body}
  }
}`;

const inTransaction = (lines: string): string =>
  service(`    await this.dataSource.transaction(async (m) => {
      await m.save(data);
${lines}
    });`);

const inRunner = (lines: string): string =>
  service(`    const runner = this.dataSource.createQueryRunner();
    await runner.connect();
    try {
      await runner.startTransaction();
      await runner.manager.save(data);
${lines}
      await runner.commitTransaction();
    } catch (error) {
      await runner.rollbackTransaction();
      throw error;
    } finally {
      await runner.release();
    }`);

/** A line with a mark under what stands in angle brackets. */
function marked(statement: string, messageId: string): string {
  const line = `      await ${statement.replace(/[«»]/gu, '')};`;
  const start = `      await ${statement}`.indexOf('«');
  const length = statement.indexOf('»') - statement.indexOf('«') - 1;
  return length < 0
    ? line
    : `${line}\n//${' '.repeat(start - 2)}${'^'.repeat(length)} ${messageId}`;
}

const statements: readonly (readonly [statement: string, inCallback: string, inRunner: string])[] =
  [
    ['«this.orders.save(data)»', 'outside', 'checkout'],
    ['«this.orders.manager.save(data)»', 'outside', 'checkout'],
    ['«this.orders.manager.connection.createQueryRunner()».connect()', 'outside', 'checkout'],
    ["«this.orders.createQueryBuilder('o')».where('true').getMany()", 'outside', 'checkout'],
    ['«this.users.findBy({ id: 1 })»', 'outside', 'checkout'],
    ['«this.users.findActive()»', 'outsideInHelper', 'helper'],
    ['«this.users.countAll()»', 'outsideInHelper', 'helper'],
    ['«this.manager.save(data)»', 'outside', 'checkout'],
    ["«this.dataSource.query('SELECT 1')»", 'outside', 'query'],
    ['«this.dataSource.getRepository(Order).find()»', 'outside', 'checkout'],
    ['«this.audit.note("ordered")»', 'outsideInHelper', 'helper'],
    ['«this.messages.find(1)»', 'outsideInHelper', 'helper'],
    ['«User.find()»', 'outside', 'checkout'],
    ['«User.findOneBy({ id: 1 })»', 'outside', 'checkout'],
    ["«User.createQueryBuilder('u')».getMany()", 'outside', 'checkout'],
    ['«User.getRepository().find()»', 'outside', 'checkout'],
    ['«user.save()»', 'outside', 'checkout'],
    ['«new User().save()»', 'outside', 'checkout'],
    ['this.others.save(data)', '', ''],
    ["this.logs.query('SELECT 1')", '', ''],
    ['this.logged.save({})', '', ''],
  ];

const inCallback: readonly string[] = [
  'm.withRepository(this.orders).save(data)',
  'm.withRepository(this.users).findActive()',
  'm.getCustomRepository(UsersRepository).findActive()',
  'this.audit.record("ordered", m)',
  'this.messages.find(1, { manager: m })',
  "this.orders.createQueryBuilder('o', m.queryRunner).getMany()",
  'm.save(user)',
];

const inHeldRunner: readonly string[] = [
  "this.dataSource.query('SELECT 1', [], runner)",
  "this.orders.createQueryBuilder('o').setQueryRunner(runner).getMany()",
  "this.dataSource.createQueryBuilder(Order, 'o', runner).getMany()",
  'runner.manager.getRepository(Order).save(data)',
  'this.audit.record("ordered", runner.manager)',
  'this.messages.find(1, { manager: runner.manager })',
];

const sample = (name: string, code: string): Sample => ({ name, code, header: '', files });

describe('injected handles in a transaction of an injected data source', () => {
  checkRule(
    'no-nested-checkout',
    statements.map(([statement, messageId]) =>
      sample(statement, inTransaction(marked(statement, messageId))),
    ),
  );
  checkRule(
    'no-nested-checkout',
    inCallback.map((statement) => sample(statement, inTransaction(marked(statement, '')))),
  );
});

describe('injected handles while a query runner is held', () => {
  checkRule(
    'no-nested-checkout',
    statements.map(([statement, , messageId]) =>
      sample(statement, inRunner(marked(statement, messageId))),
    ),
  );
  checkRule(
    'no-nested-checkout',
    inHeldRunner.map((statement) => sample(statement, inRunner(marked(statement, '')))),
  );
});
