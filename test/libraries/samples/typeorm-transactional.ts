import { EntityManager, Repository } from 'typeorm';
import {
  addTransactionalDataSource,
  deleteDataSourceByName,
  initializeTransactionalContext,
  runInTransaction,
  Transactional,
  wrapInTransaction,
  Propagation,
} from 'typeorm-transactional';
import { pgPoolExhausted } from '../pg-pool.ts';
import type { AmbientCalls, AmbientSample, PoolOptions } from '../sample.ts';
import { connect, noteEntity } from './typeorm.ts';

const optionsOf = (propagation?: string) =>
  propagation === undefined ? {} : { propagation: propagation as Propagation };

const patched = [
  [EntityManager.prototype, 'getRepository'],
  [Repository.prototype, 'extend'],
  [Repository.prototype, 'manager'],
] as const;

/** Patches TypeORM, as an application does once, and gives what undoes it for the samples without it. */
function initialize(): () => void {
  const before = patched.map(([of, key]) => Object.getOwnPropertyDescriptor(of, key));
  initializeTransactionalContext();
  return () => {
    for (const [index, [of, key]] of patched.entries()) {
      const descriptor = before[index];
      if (descriptor === undefined) Reflect.deleteProperty(of, key);
      else Object.defineProperty(of, key, descriptor);
    }
  };
}

async function open(url: string, options: PoolOptions): Promise<AmbientCalls> {
  const connected = await connect(url, options);
  const undo = initialize();
  const source = addTransactionalDataSource(connected);
  return {
    holds: {
      Transactional: (work, propagation) => {
        const descriptor = { value: work };
        Transactional(optionsOf(propagation))({}, 'work', descriptor);
        return descriptor.value();
      },
      runInTransaction: (work, propagation) => runInTransaction(work, optionsOf(propagation)),
      wrapInTransaction: (work, propagation) => wrapInTransaction(work, optionsOf(propagation))(),
    },
    joins: {
      repository: () => source.getRepository(noteEntity).find(),
      manager: () => source.manager.find(noteEntity),
      query: () => source.query('SELECT 1'),
      createQueryBuilder: () => source.createQueryBuilder(noteEntity, 'note').getMany(),
    },
    apart: {
      transaction: () => source.transaction((manager) => manager.query('SELECT 1')),
      createQueryRunner: async () => {
        const runner = source.createQueryRunner();
        await runner.connect();
        await runner.release();
      },
    },
    write: (text) => source.getRepository(noteEntity).insert({ text }),
    async end() {
      deleteDataSourceByName('default');
      undo();
      await source.destroy();
    },
  };
}

export const typeormTransactional: AmbientSample = {
  module: 'typeorm-transactional',
  exhausted: pgPoolExhausted,
  propagations: Object.values(Propagation),
  open,
};
