import { describe } from 'vitest';
import { checkRule, withHeader } from '../../support/marked.ts';

const orm = `import { MikroORM, type EntityManager } from '@mikro-orm/postgresql';
import { User } from './user';
const orm = await MikroORM.init({ clientUrl: url, entities: [User] });`;

describe('no-unreleased-client: em.begin()', () => {
  checkRule(
    'no-unreleased-client',
    withHeader(orm, [
      {
        name: 'a fork that nothing ends',
        code: `
export async function run(name) {
  const em = orm.em.fork();
  await em.begin();
  //    ^^^^^^^^^^ neverEnded
  await em.insert(User, { name });
}`,
      },
      {
        name: 'an early return',
        code: `
export async function run(name) {
  const em = orm.em.fork({ clear: false });
  await em.begin();
  //    ^^^^^^^^^^ notEndedOnSomePath
  try {
    const found = await em.findOne(User, { name });
    if (found) return found;
    em.persist(new User(name));
    await em.commit();
  } catch (error) {
    await em.rollback();
    throw error;
  }
}`,
      },
      {
        name: 'neither where a query fails nor where the flush of the commit does',
        code: `
export async function run(name) {
  const em = orm.em.fork();
  await em.begin();
  //    ^^^^^^^^^^ notEndedOnThrow
  em.persist(new User(name));
  await em.commit();
}`,
      },
      {
        name: 'an injected manager',
        code: `
export class Users {
  constructor(private readonly em: EntityManager) {}
  async create(name: string) {
    await this.em.begin({ isolationLevel: 'serializable' });
    //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ notEndedOnThrow
    await this.em.insert(User, { name });
    await this.em.commit();
  }
}`,
      },
      {
        name: 'rolled back in the catch',
        code: `
export async function run(name) {
  const em = orm.em.fork();
  await em.begin();
  try {
    em.persist(new User(name));
    await em.commit();
  } catch (error) {
    await em.rollback();
    throw error;
  }
}
export class Users {
  constructor(private readonly em: EntityManager) {}
  async create(name: string) {
    await this.em.begin();
    try {
      this.em.persist(new User(name));
      await this.em.commit();
    } catch (error) {
      await this.em.rollback();
      throw error;
    }
  }
}`,
      },
      {
        name: 'the manager tells whether it is in a transaction',
        code: `
export async function run(name) {
  const em = orm.em.fork();
  await em.begin();
  try {
    await em.insert(User, { name });
    await em.commit();
  } finally {
    if (em.isInTransaction()) await em.rollback();
  }
}`,
      },
      {
        name: 'begun again after the end',
        code: `
export async function run(names) {
  const em = orm.em.fork();
  for (const name of names) {
    await em.begin();
    try {
      await em.insert(User, { name });
      await em.commit();
    } catch (error) {
      await em.rollback();
      throw error;
    }
  }
}`,
      },
      {
        name: 'a method of its own for each step',
        code: `
export class Unit {
  private readonly em = orm.em.fork();
  async begin() {
    await this.em.begin();
  }
  async commit() {
    await this.em.commit();
  }
}
export async function begin(em: EntityManager) {
  await em.begin();
}`,
      },
      {
        name: 'the caller of a function that is given the manager answers for it',
        code: `
export async function save(em: EntityManager, name: string) {
  await em.begin();
  await em.insert(User, { name });
  await em.commit();
}`,
      },
      {
        name: 'a fork that somebody else has as well',
        code: `
import { work } from './work';
export async function run() {
  const em = orm.em.fork();
  await em.begin();
  await work(em);
}
export async function given() {
  const em = orm.em.fork();
  await em.begin();
  return em;
}`,
      },
      {
        name: 'begin() of something else',
        code: `
export async function run(queue, em) {
  await queue.begin();
  await em.begin();
  await em.commit();
  await queue.commit();
}`,
      },
    ]),
  );
});

describe('what holds while it is open', () => {
  checkRule(
    'no-external-await-while-holding',
    withHeader(orm, [
      {
        name: 'a request between begin and commit',
        code: `
export async function run(name) {
  const em = orm.em.fork();
  await fetch('https://mail.example/');
  await em.begin();
  try {
    await em.insert(User, { name });
    await fetch('https://mail.example/');
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ inTransaction
    await em.commit();
  } catch (error) {
    await em.rollback();
    throw error;
  }
  await fetch('https://mail.example/');
}`,
      },
    ]),
  );
  checkRule(
    'no-nested-checkout',
    withHeader(orm, [
      {
        name: 'queries of another manager',
        code: `
export async function run(name) {
  const em = orm.em.fork();
  const other = orm.em.fork();
  await other.insert(User, { name });
  await em.begin();
  try {
    await em.insert(User, { name });
    await orm.em.insert(User, { name });
//        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ outside
    await other.find(User, { name });
//        ^^^^^^^^^^^^^^^^^^^^^^^^^^ outside
    await orm.em.transactional((inner) => inner.insert(User, { name }));
//        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ outside
    await em.commit();
  } catch (error) {
    await em.rollback();
    throw error;
  }
  await orm.em.insert(User, { name });
}`,
      },
      {
        name: 'queries of the manager that a fork was made of, also in another method',
        code: `
export class Users {
  constructor(private readonly em: EntityManager) {}
  async create(name: string) {
    const em = this.em.fork();
    await em.begin();
    try {
      const found = await this.em.findOne(User, { name });
//                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ outside
      await this.log(name);
//          ^^^^^^^^^^^^^^ outsideInHelper
      await this.logIn(em, name);
      await em.commit();
      return found;
    } catch (error) {
      await em.rollback();
      throw error;
    }
  }
  private async log(name: string) {
    await this.em.insert(User, { name });
  }
  private async logIn(em: EntityManager, name: string) {
    await em.insert(User, { name });
  }
}`,
      },
      {
        name: 'a statement of its connection that is not told of the transaction',
        code: `
export async function run(name) {
  const em = orm.em.fork();
  await em.begin();
  try {
    await em.insert(User, { name });
    await em.execute('SELECT 1');
    await em.getConnection().execute('SELECT 1');
//        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ outside
    await em.getConnection().execute('SELECT 1', [], 'all', em.getTransactionContext());
    await em.commit();
  } catch (error) {
    await em.rollback();
    throw error;
  }
  await em.getConnection().execute('SELECT 1');
}`,
      },
      {
        name: 'one manager by two names',
        code: `
export class Users {
  constructor(private readonly em: EntityManager) {}
  async create(name: string) {
    const em = this.em;
    await em.begin();
    try {
      await this.em.insert(User, { name });
      await em.transactional((inner) => inner.insert(User, { name }));
      await em.commit();
    } catch (error) {
      await em.rollback();
      throw error;
    }
  }
}
export async function run(name) {
  const em = orm.em.fork();
  const same = em;
  await em.begin();
  try {
    await same.insert(User, { name });
    const inside = em.fork({ keepTransactionContext: true });
    await inside.insert(User, { name });
    await em.commit();
  } catch (error) {
    await em.rollback();
    throw error;
  }
}`,
      },
      {
        name: 'in a callback the global manager joins',
        code: `
export async function run(name) {
  await orm.em.transactional(async (inner) => {
    await inner.insert(User, { name });
    await orm.em.insert(User, { name });
    await orm.em.transactional((innermost) => innermost.insert(User, { name }));
  });
}`,
      },
    ]),
  );
  checkRule('no-nested-checkout', [
    {
      name: 'in a callback of another file, too',
      filename: 'sample.ts',
      code: `import { orm } from './orm';
import { work } from './work';
export async function run() {
  await orm.em.transactional(work);
}`,
      files: {
        'orm.ts':
          "import { MikroORM } from '@mikro-orm/postgresql';\nexport const orm = await MikroORM.init({});\n",
        'work.ts':
          "import { orm } from './orm';\nexport async function work() {\n  await orm.em.insert('User', {});\n}\n",
      },
    },
  ]);
  checkRule(
    'no-use-after-release',
    withHeader(orm, [
      {
        name: 'a helper that begins and ends on what it is given ends no transaction of its caller',
        code: `
async function flushed(em, work) {
  const isOuter = em.isInTransaction();
  if (!isOuter) await em.begin();
  await work(em);
  if (!isOuter) await em.commit();
}
async function atOnce(em) {
  await em.begin();
  try {
    await em.insert(User, {});
    await em.commit();
  } catch (error) {
    await em.rollback();
    throw error;
  }
}
export async function run(name) {
  await orm.em.transactional(async (tx) => {
    await flushed(tx, (em) => em.insert(User, { name }));
    await tx.insert(User, { name });
    await atOnce(tx);
    await tx.insert(User, { name });
  });
}`,
      },
      {
        name: 'a manager queries the pool after the end',
        code: `
export async function run(name) {
  const em = orm.em.fork();
  await em.begin();
  try {
    await em.insert(User, { name });
    await em.commit();
  } catch (error) {
    await em.rollback();
    throw error;
  }
  await em.find(User, { name });
}`,
      },
    ]),
  );
});
