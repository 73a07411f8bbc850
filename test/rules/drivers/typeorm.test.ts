import { describe } from 'vitest';
import { checkRule, withHeader } from '../../support/marked.ts';

const header =
  "import { DataSource, type QueryRunner } from 'typeorm';\nconst dataSource = new DataSource({ type: 'postgres' });";

describe('no-unreleased-client', () => {
  checkRule(
    'no-unreleased-client',
    withHeader(header, [
      {
        name: 'never released',
        code: `
export async function run(sql: string) {
  const queryRunner = dataSource.createQueryRunner();
  //                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ neverReleased
  await queryRunner.connect();
  return await queryRunner.query(sql);
}`,
      },
      {
        name: 'a runner that nobody keeps',
        code: `
export const run = async (sql: string) => {
  await dataSource.createQueryRunner().query(sql);
  //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ neverReleased
};`,
      },
      {
        name: 'the shape of the manual',
        code: `
export async function save(user) {
  const queryRunner = dataSource.createQueryRunner();
  await queryRunner.connect();
  await queryRunner.startTransaction();
  try {
    await queryRunner.manager.save(user);
    await queryRunner.commitTransaction();
  } catch (error) {
    await queryRunner.rollbackTransaction();
  } finally {
    await queryRunner.release();
  }
}`,
      },
      {
        name: 'lost between the start of the transaction and the try',
        code: `
export async function save(id: number, find) {
  const queryRunner = dataSource.createQueryRunner();
  //                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ notReleasedOnThrow
  await queryRunner.connect();
  await queryRunner.startTransaction();
  const user = await find(id);
  if (!user) throw new Error('no such user');
  try {
    await queryRunner.manager.save(user);
    await queryRunner.commitTransaction();
  } catch (error) {
    await queryRunner.rollbackTransaction();
    throw error;
  } finally {
    await queryRunner.release();
  }
}`,
      },
      {
        name: 'lost where work fails without a finally',
        code: `
export async function save(user) {
  const queryRunner = dataSource.createQueryRunner();
  //                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ notReleasedOnThrow
  await queryRunner.startTransaction();
  await queryRunner.manager.save(user);
  await queryRunner.commitTransaction();
  await queryRunner.release();
}`,
      },
      {
        name: 'a runner that was not used yet holds no connection',
        code: `
export async function save(user, validate) {
  const queryRunner = dataSource.createQueryRunner();
  await validate(user);
  if (!user.name) return;
  try {
    await queryRunner.manager.save(user);
  } finally {
    await queryRunner.release();
  }
}`,
      },
      {
        name: 'a helper that fails before it uses the runner',
        code: `
async function begin(queryRunner: QueryRunner, isReady) {
  if (!(await isReady())) throw new Error('not ready');
  await queryRunner.startTransaction();
}
export async function save(user, isReady) {
  const queryRunner = dataSource.createQueryRunner();
  await begin(queryRunner, isReady);
  try {
    await queryRunner.manager.save(user);
    await queryRunner.commitTransaction();
  } finally {
    await queryRunner.release();
  }
}`,
      },
      {
        name: 'a helper that tries again to begin',
        code: `
async function begin(queryRunner: QueryRunner) {
  let last;
  async function attempt() {
    try {
      await queryRunner.startTransaction();
      return true;
    } catch (error) {
      last = error;
      return false;
    }
  }
  for (let tries = 0; tries < 5; tries++) {
    if (await attempt()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw last;
}
export async function save(user) {
  const queryRunner = dataSource.createQueryRunner();
  await begin(queryRunner);
  try {
    await queryRunner.manager.save(user);
    await queryRunner.commitTransaction();
  } finally {
    await queryRunner.release();
  }
}`,
      },
      {
        name: 'a helper that fails after it has used the runner',
        code: `
async function begin(queryRunner: QueryRunner, isReady) {
  await queryRunner.startTransaction();
  if (!(await isReady())) throw new Error('not ready');
}
export async function save(user, isReady) {
  const queryRunner = dataSource.createQueryRunner();
  //                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ notReleasedOnThrow
  await begin(queryRunner, isReady);
  try {
    await queryRunner.manager.save(user);
    await queryRunner.commitTransaction();
  } finally {
    await queryRunner.release();
  }
}`,
      },
      {
        name: 'a helper that nobody follows',
        code: `
export async function save(user, begin) {
  const queryRunner = dataSource.createQueryRunner();
  //                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ notReleasedOnThrow
  await begin(queryRunner);
  try {
    await queryRunner.manager.save(user);
    await queryRunner.commitTransaction();
  } finally {
    await queryRunner.release();
  }
}`,
      },
      {
        name: 'released unless it is released',
        code: `
export async function save(user) {
  const queryRunner = dataSource.createQueryRunner();
  try {
    await queryRunner.connect();
    await queryRunner.startTransaction();
    await queryRunner.manager.save(user);
    await queryRunner.commitTransaction();
    await queryRunner.release();
  } catch (error) {
    if (queryRunner.isTransactionActive) await queryRunner.rollbackTransaction();
    throw error;
  } finally {
    if (!queryRunner.isReleased) await queryRunner.release();
  }
}`,
      },
      {
        name: 'kept in a field',
        code: `
export class Unit {
  private queryRunner: QueryRunner;
  async begin() {
    this.queryRunner = dataSource.createQueryRunner();
    await this.queryRunner.connect();
    await this.queryRunner.startTransaction();
  }
  async end() {
    await this.queryRunner.commitTransaction();
    await this.queryRunner.release();
  }
}`,
      },
      {
        name: 'that a getter gives, connected or not',
        code: `
async function connected() {
  const queryRunner = dataSource.createQueryRunner();
  await queryRunner.connect();
  return queryRunner;
}
const runner = () => dataSource.createQueryRunner();
export async function all() {
  const one = await connected();
  //                ^^^^^^^^^^^ notReleasedOnThrow
  const two = runner();
  //          ^^^^^^^^ notReleasedOnThrow
  await one.query('SELECT 1');
  await two.query('SELECT 1');
  await one.release();
  await two.release();
}`,
      },
      {
        name: 'of an injected data source, of an entity manager, of something that only the name tells',
        header:
          "import type { DataSource, EntityManager } from 'typeorm';\nimport { InjectDataSource } from '@nestjs/typeorm';\n",
        code: `
export class Users {
  constructor(@InjectDataSource() private readonly dataSource: DataSource, private readonly manager: EntityManager, private readonly repository) {}
  async one(sql: string) {
    const runner = this.dataSource.createQueryRunner('slave');
    //             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ notReleasedOnThrow
    await runner.query(sql);
    await runner.release();
  }
  async two(sql: string) {
    const runner = this.manager.connection.createQueryRunner();
    //             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ notReleasedOnThrow
    await runner.query(sql);
    await runner.release();
  }
  async three(sql: string) {
    const runner = this.repository.manager.connection.createQueryRunner();
    //             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ notReleasedOnThrow
    await runner.query(sql);
    await runner.release();
  }
}`,
      },
      {
        name: 'of a connection of TypeORM 0.2',
        header: "import { getConnection } from 'typeorm';\n",
        code: `
export async function run(sql: string) {
  const runner = getConnection().createQueryRunner();
  //             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ notReleasedOnThrow
  await runner.query(sql);
  await runner.release();
}`,
      },
      {
        name: 'a data source that is destroyed releases its runners',
        code: `
export async function once(open) {
  const source: DataSource = await open();
  try {
    const runner = source.createQueryRunner();
    await runner.query('SELECT 1');
    await runner.release();
  } finally {
    await source.destroy();
  }
}`,
      },
      {
        name: 'a repository of a runner that nobody has',
        code: `
export const repositoryOf = (entity) => dataSource.createQueryRunner('master').manager.getRepository(entity);
//                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ outOfReach
export class Users {
  constructor(private readonly source: DataSource) {}
  async find(id: number) {
    const users = this.source.createQueryRunner().manager.getRepository(User);
    //            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ outOfReach
    return await users.findOneBy({ id });
  }
  async count() {
    return await this.source.createQueryRunner('slave').manager.count(User);
    //           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ outOfReach
  }
  async begin(given: EntityManager) {
    if (given.queryRunner?.isTransactionActive === false) await given.queryRunner.startTransaction();
  }
  async all() {
    const manager = this.source.createQueryRunner().manager;
    //              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ outOfReach
    return await manager.find(User);
  }
}`,
      },
      {
        name: 'a manager by which the runner is released',
        code: `
export async function all() {
  const { manager } = dataSource.createQueryRunner();
  const other = dataSource.createQueryRunner().manager;
  try {
    return [await manager.find(User), await other.find(User)];
  } finally {
    await manager.release();
    await other.release();
  }
}`,
      },
      {
        name: 'a repository whose runner is given to others',
        code: `
export async function all() {
  const users = dataSource.createQueryRunner().manager.getRepository(User);
  try {
    return await users.find();
  } finally {
    await close(users.queryRunner);
  }
}`,
      },
      {
        name: 'a repository by which it is',
        code: `
export async function all() {
  const users = dataSource.createQueryRunner().manager.getRepository(User);
  try {
    return await users.find();
  } finally {
    await users.queryRunner?.release();
  }
}`,
      },
      {
        name: 'what lives as long as the program, what is given to others, and what asks the runner for nothing',
        code: `
export const users = dataSource.createQueryRunner('slave').manager.getRepository(User);
export class Users {
  private readonly users = dataSource.createQueryRunner('slave').manager.getRepository(User);
  constructor(private readonly source: DataSource) {
    this.logs = this.source.createQueryRunner().manager.getRepository(Log);
  }
  create() {
    return new Service(this.source.createQueryRunner().manager.getRepository(User));
  }
  give() {
    return this.source.createQueryRunner().manager;
  }
  lend(work) {
    return work(this.source.createQueryRunner().manager);
  }
  ofPool() {
    return this.source.createQueryRunner().manager.connection.getRepository(User);
  }
}`,
      },
      {
        name: "a runner that may be the caller's, released where it is not in a transaction",
        code: `
export async function within(manager, work) {
  let runner = manager?.queryRunner;
  if (!runner || runner.isReleased) runner = dataSource.createQueryRunner();
  await runner.startTransaction();
  try {
    const result = await work(runner.manager);
    if (runner.isTransactionActive) await runner.commitTransaction();
    return result;
  } catch (error) {
    if (runner.isTransactionActive) await runner.rollbackTransaction();
    throw error;
  } finally {
    if (!runner.isTransactionActive && runner.isReleased === false) await runner.release();
  }
}`,
      },
      {
        name: 'a migration is given its runner',
        code: `
export class Add1700000000000 {
  async up(queryRunner: QueryRunner) {
    await queryRunner.query('CREATE TABLE t (id int)');
  }
}`,
      },
      {
        name: 'a helper that works with the runner, and one that ends it',
        code: `
async function insert(runner: QueryRunner, user) {
  await runner.manager.save(user);
}
async function finish(runner: QueryRunner, error?: Error) {
  if (error) await runner.rollbackTransaction();
  else await runner.commitTransaction();
}
export async function save(user) {
  const runner = dataSource.createQueryRunner();
  await runner.startTransaction();
  try {
    await insert(runner, user);
    await finish(runner);
  } catch (error) {
    await finish(runner, error);
    throw error;
  } finally {
    await runner.release();
  }
}`,
      },
    ]),
  );
});

describe('no-double-release', () => {
  checkRule(
    'no-double-release',
    withHeader(header, [
      {
        name: 'a second release does nothing',
        code: `
export async function save(user) {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.manager.save(user);
    await runner.release();
  } catch (error) {
    await runner.release();
    throw error;
  } finally {
    await runner.release();
  }
}`,
      },
    ]),
  );
});

describe('no-use-after-release', () => {
  checkRule(
    'no-use-after-release',
    withHeader(header, [
      {
        name: 'a query behind the release, and one that is returned unsettled',
        code: `
export async function one() {
  const runner = dataSource.createQueryRunner();
  await runner.query('SELECT 1');
  await runner.release();
  return await runner.query('SELECT 2');
  //           ^^^^^^^^^^^^^^^^^^^^^^^^ used
}
export async function two() {
  const runner = dataSource.createQueryRunner();
  try {
    return runner.query('SELECT 1');
    //     ^^^^^^^^^^^^^^^^^^^^^^^^ returnedUnsettled
  } finally {
    await runner.release();
  }
}`,
      },
      {
        name: 'what it knows of itself may be asked',
        code: `
export async function one(log) {
  const runner = dataSource.createQueryRunner();
  await runner.query('SELECT 1');
  await runner.release();
  log(runner.isReleased);
}`,
      },
    ]),
  );
});

describe('no-nested-checkout', () => {
  checkRule(
    'no-nested-checkout',
    withHeader(header, [
      {
        name: 'a query of the data source, and a second runner',
        code: `
export async function save(id: number) {
  const runner = dataSource.createQueryRunner();
  try {
    await dataSource.query('SELECT 1');
    await runner.connect();
    await dataSource.query('SELECT 1');
    //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ query
    const other = dataSource.createQueryRunner();
    //            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ checkout
    await other.release();
  } finally {
    await runner.release();
  }
}`,
      },
      {
        name: 'on the runner itself',
        code: `
export async function save(id: number) {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.connect();
    await runner.query('SELECT 1');
    await dataSource.query('SELECT 1', [], runner);
  } finally {
    await runner.release();
  }
}`,
      },
    ]),
  );
});

const inRunner = (lines: string): string => `
export async function like(id: number, find, check) {
  const queryRunner = dataSource.createQueryRunner();
  await queryRunner.connect();
  await queryRunner.startTransaction();
${lines}
}`;

describe('no-open-transaction-release', () => {
  checkRule(
    'no-open-transaction-release',
    withHeader(header, [
      {
        name: 'an early return',
        code: inRunner(`  try {
    const found = await queryRunner.manager.findOne(Like, { where: { id } });
    if (!found) return false;
    await queryRunner.manager.remove(found);
    await queryRunner.commitTransaction();
    return true;
  } catch (error) {
    await queryRunner.rollbackTransaction();
    return false;
  } finally {
    await queryRunner.release();
  //      ^^^^^^^^^^^^^^^^^^^^^ openByMethod
  }`),
      },
      {
        name: 'a finally without a catch',
        code: inRunner(`  try {
    await queryRunner.manager.save(Like, { id });
    await queryRunner.commitTransaction();
  } finally {
    await queryRunner.release();
  //      ^^^^^^^^^^^^^^^^^^^^^ openByMethodAfterError
  }`),
      },
      {
        name: 'a catch that rolls back nothing',
        code: inRunner(`  try {
    await queryRunner.query('DELETE FROM likes');
    await queryRunner.commitTransaction();
  } catch (error) {
    console.error(error);
  } finally {
    await queryRunner.release();
  //      ^^^^^^^^^^^^^^^^^^^^^ openByMethodAfterError
  }`),
      },
      {
        name: 'the shape of the manual',
        code: inRunner(`  try {
    await queryRunner.manager.save(Like, { id });
    await queryRunner.commitTransaction();
  } catch (error) {
    await queryRunner.rollbackTransaction();
    throw error;
  } finally {
    await queryRunner.release();
  }`),
      },
      {
        name: 'rolled back before the early return',
        code: inRunner(`  try {
    const found = await queryRunner.manager.findOne(Like, { where: { id } });
    if (!found) {
      await queryRunner.rollbackTransaction();
      return false;
    }
    await queryRunner.commitTransaction();
    return true;
  } catch (error) {
    await queryRunner.rollbackTransaction();
    throw error;
  } finally {
    await queryRunner.release();
  }`),
      },
      {
        name: 'rolled back in the finally while it is active',
        code: inRunner(`  try {
    const found = await queryRunner.manager.findOne(Like, { where: { id } });
    if (!found) return false;
    await queryRunner.commitTransaction();
    return true;
  } finally {
    if (queryRunner.isTransactionActive) await queryRunner.rollbackTransaction();
    await queryRunner.release();
  }`),
      },
      {
        name: 'only the COMMIT fails',
        code: inRunner(`  try {
    await queryRunner.commitTransaction();
  } finally {
    await queryRunner.release();
  }`),
      },
      {
        name: 'a helper that is given the runner may end it',
        code: inRunner(`  try {
    await check(queryRunner);
  } catch (error) {
    await queryRunner.rollbackTransaction();
    throw error;
  } finally {
    await queryRunner.release();
  }`),
      },
      {
        name: 'released only when it is not active',
        code: inRunner(`  try {
    await queryRunner.manager.save(Like, { id });
    await queryRunner.commitTransaction();
  } finally {
    if (!queryRunner.isTransactionActive) await queryRunner.release();
  }`),
      },
      {
        name: 'nobody uses the data source afterwards',
        code: inRunner(`  try {
    await queryRunner.manager.save(Like, { id });
    await queryRunner.commitTransaction();
  } finally {
    await queryRunner.release();
    await dataSource.destroy();
  }`),
      },
      {
        name: 'no transaction',
        code: `
export async function count() {
  const queryRunner = dataSource.createQueryRunner();
  try {
    return await queryRunner.manager.count(Like);
  } finally {
    await queryRunner.release();
  }
}`,
      },
    ]),
  );
});

describe('no-external-await-while-holding', () => {
  checkRule(
    'no-external-await-while-holding',
    withHeader(header, [
      {
        name: 'only once the connection is taken',
        code: `
export async function pay(order) {
  const runner = dataSource.createQueryRunner();
  await fetch('https://example.com/before');
  await runner.connect();
  try {
    await fetch('https://example.com/held');
  //^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ held
    await runner.startTransaction();
    await fetch('https://example.com/inside');
  //^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ heldInTransaction
    await runner.commitTransaction();
  } finally {
    await runner.release();
  }
}`,
      },
      {
        name: 'not in a helper that takes it behind its wait',
        code: `
async function begin(runner: QueryRunner) {
  await fetch('https://example.com/ready');
  await runner.startTransaction();
}
async function notify(runner: QueryRunner) {
  await runner.query('SELECT 1');
  await fetch('https://example.com/paid');
}
export async function pay(order) {
  const runner = dataSource.createQueryRunner();
  try {
    await begin(runner);
    await notify(runner);
  //^^^^^^^^^^^^^^^^^^^^ heldInTransaction
    await runner.commitTransaction();
  } finally {
    await runner.release();
  }
}`,
      },
    ]),
  );
});

describe('what PostgreSQL keeps for a session', () => {
  checkRule(
    'no-session-state',
    withHeader(header, [
      {
        name: 'where the options say that it is PostgreSQL',
        code: `
export async function enter() {
  const runner = dataSource.createQueryRunner();
  await runner.query("SET ROLE tenant");
  //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ atRelease
  await runner.release();
}`,
      },
      {
        name: 'not where the database is not known',
        header:
          "import { DataSource } from 'typeorm';\nimport { options } from 'settings';\nconst dataSource = new DataSource(options);\n",
        code: `
export async function enter() {
  const runner = dataSource.createQueryRunner();
  await runner.query("SET ROLE tenant");
  await runner.release();
}`,
      },
    ]),
  );
});

describe('a database without a pool', () => {
  const body = `
export async function save(sql: string) {
  const queryRunner = own.createQueryRunner();
  await queryRunner.query(sql);
}`;
  const importing =
    "import { createConnection, DataSource, type DataSourceOptions } from 'typeorm';\n";
  checkRule('no-unreleased-client', [
    {
      name: 'by its options',
      code: `${importing}const own = new DataSource({ type: 'sqlite', database: 'a.db' });${body}`,
    },
    {
      name: 'by options that are cast',
      code: `${importing}const own = new DataSource({ type: 'sqljs' as const } as DataSourceOptions);${body}`,
    },
    {
      name: 'by options that have a name',
      code: `${importing}const options: DataSourceOptions = { type: 'better-sqlite3', database: 'a.db' };\nconst own = new DataSource(options);${body}`,
    },
    {
      name: 'by its factory',
      code: `${importing}const own = await createConnection({ type: 'sqlite', database: 'a.db' });${body}`,
    },
    {
      name: 'not where the options may say something else',
      code: `${importing}const own = new DataSource({ type: 'sqlite', ...overrides });
export async function save(sql: string) {
  const queryRunner = own.createQueryRunner();
  //                  ^^^^^^^^^^^^^^^^^^^^^^^ neverReleased
  await queryRunner.query(sql);
}`,
    },
  ]);
});
