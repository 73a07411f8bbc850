import { once } from 'node:events';
import { BaseEntity, DataSource, EntitySchema, type EntityManager } from 'typeorm';
import {
  lock,
  rolledBack,
  second,
  type Calls,
  type Habits,
  type HabitsSample,
  type Habitual,
  type Mistakes,
  type PoolOptions,
} from '../sample.ts';

interface Note {
  readonly text: string;
}

/** A query of what the database has not fails, once it has a connection. */
class Kept extends BaseEntity {
  readonly text: string = '';
  readonly count: number = 0;
}

const text = { type: 'text', primary: true } as const;

export const noteEntity = new EntitySchema<Note>({
  name: 'Note',
  tableName: 'note',
  columns: { text },
});

const keptEntity = new EntitySchema<Kept>({
  name: 'Kept',
  target: Kept,
  columns: {
    text,
    count: { type: 'int' },
    deleted: { type: 'timestamp', deleteDate: true },
  } as object,
  trees: [{ type: 'materialized-path' }],
  relations: {
    parent: { type: 'many-to-one', target: 'Kept', treeParent: true },
    children: { type: 'one-to-many', target: 'Kept', inverseSide: 'parent', treeChildren: true },
  } as object,
});

/** The data source on its pool, whose options are those of pg-pool. */
export async function connect(url: string, { max, patienceMs }: PoolOptions): Promise<DataSource> {
  const source = new DataSource({
    type: 'postgres',
    url,
    entities: [noteEntity, keptEntity],
    poolSize: max,
    extra: { connectionTimeoutMillis: patienceMs },
  });
  return await source.initialize();
}

function sendsOf(source: DataSource): Calls['sends'] {
  const notes = source.getRepository(keptEntity);
  const trees = source.getTreeRepository(keptEntity);
  const kept = Object.assign(new Kept(), { text: 'kept' });
  const text = 'before';
  const built = () => source.createQueryBuilder(keptEntity, 'kept');
  return {
    find: () => notes.find(),
    findBy: () => notes.findBy({ text }),
    findAndCount: () => notes.findAndCount(),
    findAndCountBy: () => notes.findAndCountBy({ text }),
    findOne: () => notes.findOne({ where: { text } }),
    findOneBy: () => notes.findOneBy({ text }),
    findOneOrFail: () => notes.findOneOrFail({ where: { text } }),
    findOneByOrFail: () => notes.findOneByOrFail({ text }),
    findTrees: () => trees.findTrees(),
    findRoots: () => trees.findRoots(),
    findDescendants: () => trees.findDescendants(kept),
    findDescendantsTree: () => trees.findDescendantsTree(kept),
    countDescendants: () => trees.countDescendants(kept),
    findAncestors: () => trees.findAncestors(kept),
    findAncestorsTree: () => trees.findAncestorsTree(kept),
    countAncestors: () => trees.countAncestors(kept),
    count: () => notes.count(),
    countBy: () => notes.countBy({ text }),
    exists: () => notes.exists(),
    existsBy: () => notes.existsBy({ text }),
    sum: () => notes.sum('count'),
    average: () => notes.average('count'),
    minimum: () => notes.minimum('count'),
    maximum: () => notes.maximum('count'),
    save: () => notes.save(kept),
    remove: () => notes.remove(kept),
    softRemove: () => notes.softRemove(kept),
    recover: () => notes.recover(kept),
    reload: () => kept.reload(),
    preload: () => notes.preload({ text }),
    insert: () => notes.insert({ text: 'outer' }),
    update: () => notes.update({ text: 'none' }, { text: 'outer' }),
    updateAll: () => notes.updateAll({ text: 'outer' }),
    upsert: () => notes.upsert({ text: 'outer' }, ['text']),
    delete: () => notes.delete({ text: 'none' }),
    deleteAll: () => notes.deleteAll(),
    softDelete: () => notes.softDelete({ text: 'none' }),
    restore: () => notes.restore({ text: 'none' }),
    increment: () => notes.increment({ text }, 'count', 1),
    decrement: () => notes.decrement({ text }, 'count', 1),
    clear: () => notes.clear(),
    query: () => source.query('SELECT 1'),
    createQueryBuilder: () => built().getMany(),
    getOne: () => built().getOne(),
    getOneOrFail: () => built().getOneOrFail(),
    getMany: () => built().getMany(),
    getManyAndCount: () => built().getManyAndCount(),
    getRawOne: () => built().getRawOne(),
    getRawMany: () => built().getRawMany(),
    getRawAndEntities: () => built().getRawAndEntities(),
    getCount: () => built().getCount(),
    getExists: () => built().getExists(),
    execute: () => built().insert().values({ text: 'outer' }).execute(),
    // One that is destroyed before its end keeps its connection.
    stream: async () =>
      once((await source.createQueryBuilder(noteEntity, 'note').stream()).resume(), 'end'),
    sql: () => source.sql`SELECT 1`,
    runMigrations: () => source.runMigrations(),
    undoLastMigration: () => source.undoLastMigration(),
    showMigrations: () => source.showMigrations(),
    synchronize: () => source.synchronize(),
    dropDatabase: () => source.dropDatabase(),
  };
}

function callsOf(source: DataSource): Calls<EntityManager> {
  const notes = source.getRepository(noteEntity);
  return {
    lends: { transaction: (work) => source.transaction(work) },
    sends: sendsOf(source),
    harmless: (inner) => ({
      unsent: () => notes.createQueryBuilder('note').getQuery(),
      createQueryBuilder: () => notes.createQueryBuilder('note', inner.queryRunner).getMany(),
      setQueryRunner: () => {
        const { queryRunner } = inner;
        if (queryRunner === undefined) throw new Error('a transaction without a query runner');
        return notes.createQueryBuilder('note').setQueryRunner(queryRunner).getMany();
      },
      query: () => source.query('SELECT 1', [], inner.queryRunner),
      withRepository: () => inner.withRepository(notes).find(),
      getRepository: () => inner.getRepository(noteEntity).find(),
      nested: () => inner.transaction((innermost) => innermost.query('SELECT 1')),
      createQueryRunner: () => source.createQueryRunner(),
    }),
    begins: {},
    write: (text, inner) => (inner ?? source.manager).insert(noteEntity, { text }),
    end: () => source.destroy(),
  };
}

async function open(url: string, options: PoolOptions): Promise<Habitual<EntityManager>> {
  const source = await connect(url, options);
  const mistakes: Mistakes = {
    writes: (fails) =>
      source.transaction(async (manager) => {
        await manager.insert(noteEntity, { text: 'inner' });
        await source.manager.insert(noteEntity, { text: 'outer' }); // expect: no-nested-checkout
        if (fails) throw new Error(rolledBack);
      }),
    asks: (url) =>
      source.transaction(async (manager) => {
        await fetch(url); // expect: no-external-await-while-holding
        await manager.insert(noteEntity, { text: 'asked' });
      }),
    sendsTwo: () =>
      source.transaction(async (manager) => {
        await Promise.all([manager.query(lock), manager.query(second)]); // expect: no-concurrent-client-query
      }),
    async writesLate() {
      const [ended] = await source.transaction((manager) => Promise.resolve([manager]));
      await ended?.insert(noteEntity, { text: 'late' });
    },
  };
  const cures: Habits = {
    writes: (fails) =>
      source.transaction(async (manager) => {
        await manager.insert(noteEntity, { text: 'inner' });
        await manager.insert(noteEntity, { text: 'outer' });
        if (fails) throw new Error(rolledBack);
      }),
    async asks(url) {
      await fetch(url);
      await source.transaction(async (manager) => {
        await manager.insert(noteEntity, { text: 'asked' });
      });
    },
    sendsTwo: () =>
      source.transaction(async (manager) => {
        await manager.query(lock);
        await manager.query(second);
      }),
  };
  return { ...callsOf(source), mistakes, cures };
}

export const typeorm: HabitsSample = {
  module: 'typeorm',
  elsewhere: ['findByIds', 'findOneById', 'exist'],
  exhausted: /timeout exceeded when trying to connect/u,
  ended: /Query runner already released/u,
  open,
};

/** What a throw leaves undone, the end of the block commits. */
export async function throwsInUsing(source: DataSource): Promise<void> {
  await using runner = source.createQueryRunner(); // expect: no-open-transaction-release
  await runner.startTransaction();
  const { identifiers } = await runner.manager.insert(noteEntity, { text: 'inner' });
  if (identifiers.length > 0) throw new Error(rolledBack);
  await runner.commitTransaction();
}

/** A statement that fails leaves nothing to commit. */
export async function failsInUsing(source: DataSource): Promise<void> {
  await using runner = source.createQueryRunner();
  await runner.startTransaction();
  await runner.manager.insert(noteEntity, { text: 'inner' });
  await runner.manager.insert(noteEntity, { text: 'refused' });
  await runner.commitTransaction();
}
