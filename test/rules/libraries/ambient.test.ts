import { describe } from 'vitest';
import { checkRule, type Sample } from '../../support/marked.ts';

const audit = `
import { Injectable } from '@nestjs/common';
import { DataSource, Repository } from 'typeorm';
import { InjectRepository } from '@nestjs/typeorm';
import { Propagation, Transactional } from 'typeorm-transactional';
import { Audit } from './audit.entity';
@Injectable()
export class AuditService {
  constructor(
    @InjectRepository(Audit) private readonly audits: Repository<Audit>,
    private readonly dataSource: DataSource,
  ) {}
  @Transactional()
  async join(what: string) {
    await this.audits.save({ what });
  }
  @Transactional({ propagation: Propagation.REQUIRES_NEW })
  async apart(what: string) {
    await this.audits.save({ what });
  }
  @Transactional({ propagation: Propagation.NESTED })
  async nested(what: string) {
    await this.audits.save({ what });
  }
  @Transactional({ propagation: Propagation.NOT_SUPPORTED })
  async outside(what: string) {
    await this.audits.save({ what });
  }
  @Transactional({ propagation: Propagation.SUPPORTS })
  async either(what: string) {
    await this.audits.save({ what });
  }
  @Transactional({ connectionName: 'logs', propagation: Propagation.REQUIRES_NEW })
  async logged(what: string) {
    await this.audits.save({ what });
  }
  async plain(what: string) {
    await this.audits.save({ what });
  }
  async withRunner(what: string) {
    const runner = this.dataSource.createQueryRunner();
    try {
      await runner.query('SELECT 1', [what]);
    } finally {
      await runner.release();
    }
  }
}`;

const service = (decorator: string, lines: string): string => `
import { Injectable } from '@nestjs/common';
import { InjectRepository, InjectDataSource } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import { IsolationLevel, Propagation, runInTransaction, Transactional, wrapInTransaction } from 'typeorm-transactional';
import { AuditService } from './audit.service';
import { Order } from './order.entity';
@Injectable()
export class Orders {
  constructor(
    private readonly dataSource: DataSource,
    @InjectDataSource('logs') private readonly logs: DataSource,
    @InjectRepository(Order) private readonly orders: Repository<Order>,
    private readonly audit: AuditService,
  ) {}
  ${decorator}
  async create(data: Order) {
${lines}
  }
}`;

function marked(statement: string, messageId: string): string {
  const line = `    await ${statement.replace(/[«»]/gu, '')};`;
  const start = `    await ${statement}`.indexOf('«');
  const length = statement.indexOf('»') - statement.indexOf('«') - 1;
  return length < 0
    ? line
    : `${line}\n//${' '.repeat(start - 2)}${'^'.repeat(length)} ${messageId}`;
}

const inDecorated: readonly (readonly [statement: string, messageId: string])[] = [
  ['«this.dataSource.transaction(async (m) => m.save(data))»', 'outside'],
  ['«this.dataSource.createQueryRunner()».query("SELECT 1")', 'outside'],
  ['«this.audit.apart("a")»', 'outsideInHelper'],
  ['«this.audit.nested("a")»', 'outsideInHelper'],
  ['«this.audit.outside("a")»', 'outsideInHelper'],
  ['«this.audit.withRunner("a")»', 'outsideInHelper'],
  [
    '«runInTransaction(async () => this.orders.save(data), { propagation: Propagation.REQUIRES_NEW })»',
    'outside',
  ],
  ['this.orders.save(data)', ''],
  ['this.orders.createQueryBuilder("o").getMany()', ''],
  ['this.dataSource.query("SELECT 1")', ''],
  ['this.dataSource.manager.save(data)', ''],
  ['this.audit.join("a")', ''],
  ['this.audit.either("a")', ''],
  ['this.audit.plain("a")', ''],
  ['this.audit.logged("a")', ''],
  ['this.logs.transaction(async (m) => m.save(data))', ''],
  ['runInTransaction(async () => this.orders.save(data))', ''],
];

const sample = (name: string, code: string): Sample => ({
  name,
  code,
  header: '',
  files: { 'audit.service.ts': audit },
});

describe('a method that typeorm-transactional runs in a transaction', () => {
  checkRule(
    'no-nested-checkout',
    inDecorated.map(([statement, messageId]) =>
      sample(statement, service('@Transactional()', marked(statement, messageId))),
    ),
  );
  checkRule('no-nested-checkout', [
    sample(
      'a method that leaves the transaction around it',
      service(
        '@Transactional({ propagation: Propagation.NOT_SUPPORTED })',
        marked('this.audit.apart("a")', ''),
      ),
    ),
    sample(
      'a method whose options do not show',
      service('@Transactional(options)', marked('this.audit.apart("a")', '')),
    ),
  ]);
  checkRule('no-external-await-while-holding', [
    sample(
      'a request in the method',
      service(
        '@Transactional({ isolationLevel: IsolationLevel.SERIALIZABLE })',
        `    await fetch(url);
  //^^^^^^^^^^^^^^^^ inTransaction`,
      ),
    ),
    sample(
      'a request in a callback',
      service(
        '',
        `    await runInTransaction(async () => {
      await fetch(url);
    //^^^^^^^^^^^^^^^^ inTransaction
    });`,
      ),
    ),
    sample('a request in a method without', service('', '    await fetch(url);')),
  ]);
});

describe('a transaction that typeorm-transactional does not know', () => {
  checkRule('no-nested-checkout', [
    sample(
      'a repository in it',
      service(
        '',
        `    await this.dataSource.transaction(async (m) => {
      await m.save(data);
      await this.orders.save(data);
      //    ^^^^^^^^^^^^^^^^^^^^^^ outside
    });`,
      ),
    ),
    sample(
      'a decorated method in it',
      service(
        '',
        `    await this.dataSource.transaction(async (m) => {
      await this.audit.join('a');
      //    ^^^^^^^^^^^^^^^^^^^^ outsideInHelper
    });`,
      ),
    ),
    sample(
      'a repository in it, where another transaction is around both',
      service(
        '@Transactional()',
        `    await this.dataSource.transaction(async (m) => {
    //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^… outside
      await this.orders.save(data);
    });`,
      ),
    ),
  ]);
});

describe('the decorator of TypeORM before 0.3', () => {
  checkRule('no-nested-checkout', [
    sample(
      'its parameters and others',
      `
import { getRepository, EntityManager, Repository, Transaction, TransactionManager } from 'typeorm';
import { Order } from './order.entity';
export class Orders {
  @Transaction()
  async create(data: Order, @TransactionManager() manager?: EntityManager) {
    await manager.save(data);
    await getRepository(Order).save(data);
    //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ outside
    await getRepository(Order, 'other').save(data);
  }
}`,
    ),
    sample(
      'under another name',
      `
import { getRepository, Transaction as InTransaction } from 'typeorm';
import { Order } from './order.entity';
export class Orders {
  @InTransaction()
  async create(data: Order) {
    await getRepository(Order).save(data);
    //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ outside
  }
}`,
    ),
  ]);
});

const mikroOrm = (decorator: string, lines: string, from = '@mikro-orm/postgresql'): string => `
import { EntityManager, TransactionPropagation } from '@mikro-orm/postgresql';
import { Transactional } from '${from}';
export class Orders {
  constructor(private readonly em: EntityManager) {}
  ${decorator}
  async create(data, url) {
${lines}
  }
  @Transactional()
  async join(data) {
    this.em.persist(data);
  }
  @Transactional({ propagation: TransactionPropagation.REQUIRES_NEW })
  async apart(data) {
    this.em.persist(data);
  }
}`;

describe('a method that MikroORM runs in a transaction', () => {
  checkRule('no-external-await-while-holding', [
    sample(
      'a request',
      mikroOrm(
        '@Transactional()',
        `    await fetch(url);
  //^^^^^^^^^^^^^^^^ inTransaction`,
      ),
    ),
    ...['@mikro-orm/core', '@mikro-orm/decorators/legacy', '@mikro-orm/decorators/es'].map((from) =>
      sample(
        `a request, under the decorator of ${from}`,
        mikroOrm(
          '@Transactional()',
          `    await fetch(url);
  //^^^^^^^^^^^^^^^^ inTransaction`,
          from,
        ),
      ),
    ),
    sample(
      'a request outside of any',
      mikroOrm(
        '@Transactional({ propagation: TransactionPropagation.NOT_SUPPORTED })',
        '    await fetch(url);',
      ),
    ),
  ]);
  checkRule('no-nested-checkout', [
    sample(
      'others of the same object',
      mikroOrm(
        '@Transactional()',
        `    await this.em.find(data);
    await this.em.transactional(async (em) => em.persist(data));
    await this.join(data);
    await this.apart(data);
    //    ^^^^^^^^^^^^^^^^ outsideInHelper`,
      ),
    ),
    sample(
      'others of the same object in version 7',
      mikroOrm(
        '@Transactional()',
        `    await this.join(data);
    await this.apart(data);
    //    ^^^^^^^^^^^^^^^^ outsideInHelper`,
        '@mikro-orm/decorators/legacy',
      ),
    ),
  ]);
});
