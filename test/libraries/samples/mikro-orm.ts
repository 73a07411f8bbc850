import {
  EntitySchema,
  MikroORM,
  Transactional,
  TransactionPropagation,
  type EntityManager,
} from '@mikro-orm/postgresql';
import {
  lock,
  rolledBack,
  second,
  type AmbientCalls,
  type AmbientSample,
  type Calls,
  type Habits,
  type HabitsSample,
  type Habitual,
  type Mistakes,
  type PoolOptions,
} from '../sample.ts';

const note = new EntitySchema<{ text: string }>({
  name: 'Note',
  tableName: 'note',
  properties: { text: { type: 'text', primary: true } },
});

function sendsOf({ em }: MikroORM): Calls['sends'] {
  const text = 'before';
  return {
    find: () => em.find(note, {}),
    findAll: () => em.findAll(note),
    findAndCount: () => em.findAndCount(note, {}),
    findByCursor: () => em.findByCursor(note, {}, { first: 1, orderBy: { text: 'asc' } }),
    findOne: () => em.findOne(note, { text }),
    findOneOrFail: () => em.findOneOrFail(note, { text }),
    count: () => em.count(note),
    insert: () => em.insert(note, { text: 'outer' }),
    insertMany: () => em.insertMany(note, [{ text: 'outer' }]),
    upsert: () => em.upsert(note, { text: 'outer' }),
    upsertMany: () => em.upsertMany(note, [{ text: 'outer' }]),
    nativeUpdate: () => em.nativeUpdate(note, { text: 'none' }, { text: 'outer' }),
    nativeDelete: () => em.nativeDelete(note, { text: 'none' }),
    execute: () => em.execute('SELECT 1'),
    refresh: () => em.refresh(em.map(note, { text })),
  };
}

function callsOf(orm: MikroORM): Calls<EntityManager> {
  return {
    lends: { transactional: (work) => orm.em.transactional(work) },
    sends: sendsOf(orm),
    harmless: (inner) => ({
      joined: () => orm.em.find(note, {}),
      savepoint: () => orm.em.transactional((innermost) => innermost.execute('SELECT 1')),
      told: () => inner.execute('SELECT 1'),
      connection: () =>
        inner.getConnection().execute('SELECT 1', [], 'all', inner.getTransactionContext()),
      forked: () => inner.fork({ keepTransactionContext: true }).execute('SELECT 1'),
      unflushed: () =>
        orm.em.fork().persist(orm.em.create(note, { text: 'unflushed' }, { persist: false })),
    }),
    begins: {
      begin: async () => {
        const em = orm.em.fork();
        await em.begin();
        return () => em.commit();
      },
    },
    failsToEnd: {
      commit: async () => {
        const em = orm.em.fork();
        await em.begin();
        em.persist(em.create(note, { text: 'refused' }));
        await em.commit().catch(() => {});
        return () => em.rollback();
      },
    },
    write: (text, inner = orm.em) => inner.insert(note, { text }),
    end: () => orm.close(),
  };
}

function connect(url: string, { max, patienceMs }: PoolOptions): Promise<MikroORM> {
  return MikroORM.init({
    clientUrl: url,
    entities: [note],
    pool: { min: 0, max, acquireTimeoutMillis: patienceMs },
    allowGlobalContext: true,
    discovery: { warnWhenNoEntities: false },
    logger: () => {},
  });
}

async function open(url: string, options: PoolOptions): Promise<Habitual<EntityManager>> {
  const orm = await connect(url, options);
  /** A fork is not told of the transactions of others; that it is one does not show where it is used. */
  const em = orm.em.fork();
  const mistakes: Mistakes = {
    writes: (fails) =>
      orm.em.transactional(async (inner) => {
        await inner.insert(note, { text: 'inner' });
        await em.insert(note, { text: 'outer' });
        if (fails) throw new Error(rolledBack);
      }),
    asks: (url) =>
      orm.em.transactional(async (inner) => {
        await fetch(url); // expect: no-external-await-while-holding
        await inner.insert(note, { text: 'asked' });
      }),
    sendsTwo: () =>
      orm.em.transactional(async (inner) => {
        await Promise.all([inner.execute(lock), inner.execute(second)]);
      }),
    async writesLate() {
      const [ended] = await orm.em.transactional((inner) => Promise.resolve([inner]));
      await ended?.insert(note, { text: 'late' });
    },
  };
  const cures: Habits = {
    writes: (fails) =>
      orm.em.transactional(async (inner) => {
        await inner.insert(note, { text: 'inner' });
        await orm.em.insert(note, { text: 'outer' });
        if (fails) throw new Error(rolledBack);
      }),
    async asks(url) {
      await fetch(url);
      await orm.em.transactional(async (inner) => {
        await inner.insert(note, { text: 'asked' });
      });
    },
    sendsTwo: () =>
      orm.em.transactional(async (inner) => {
        await inner.execute(lock);
        await inner.execute(second);
      }),
  };
  return { ...callsOf(orm), mistakes, cures };
}

async function openAmbient(url: string, options: PoolOptions): Promise<AmbientCalls> {
  const orm = await connect(url, options);
  return {
    holds: {
      Transactional: (work, propagation) => {
        const descriptor = { value: async () => await work() };
        const given =
          propagation === undefined ? {} : { propagation: propagation as TransactionPropagation };
        Transactional({ ...given, context: () => orm })({}, 'work', descriptor);
        return descriptor.value();
      },
    },
    joins: {
      em: () => orm.em.find(note, {}),
      repository: () => orm.em.getRepository(note).findAll(),
    },
    apart: {
      fork: () => orm.em.fork({ disableContextResolution: true }).find(note, {}),
      connection: () => orm.em.getConnection().execute('SELECT 1'),
    },
    write: (text) => orm.em.insert(note, { text }),
    end: () => orm.close(),
  };
}

const common = {
  module: '@mikro-orm/postgresql',
  exhausted: /Timeout acquiring a connection\. The pool is probably full/u,
} as const;

export const mikroOrm: HabitsSample = {
  ...common,
  ended: /Transaction query already complete/u,
  open,
};

export const mikroOrmTransactional: AmbientSample = {
  ...common,
  propagations: Object.values(TransactionPropagation),
  open: openAmbient,
};
