import { byMethod, each, noTables, of } from '../built.ts';
import type { Library } from '../library.ts';
import {
  asArgument,
  noModels,
  queued,
  rolledBackUnseen,
  row,
  toldPostgresql,
  transactions,
  under,
} from '../row.ts';

/** What repositories, managers and data sources send at the call (`repository/Repository.js`, `entity-manager/EntityManager.js`), and objects of a `BaseEntity`. */
const sent: readonly string[] =
  'find findBy findAndCount findAndCountBy findOne findOneBy findOneOrFail findOneByOrFail findByIds findOneById findTrees findRoots findDescendants findDescendantsTree countDescendants findAncestors findAncestorsTree countAncestors count countBy exist exists existsBy sum average minimum maximum save remove softRemove recover reload preload insert update updateAll upsert delete deleteAll softDelete restore increment decrement clear query'.split(
    ' ',
  );

/** What a data source does over query runners of its own: `data-source/DataSource.js`, `migration/MigrationExecutor.js`, `schema-builder/RdbmsSchemaBuilder.js`. */
const ofDataSource: readonly string[] = [
  'runMigrations',
  'undoLastMigration',
  'showMigrations',
  'synchronize',
  'dropDatabase',
];

/** `query-builder/SelectQueryBuilder.js`; a builder is no promise. */
const sentBuilt: readonly string[] =
  'getOne getOneOrFail getMany getManyAndCount getRawOne getRawMany getRawAndEntities getCount getExists execute stream'.split(
    ' ',
  );

const legacy: readonly (readonly [name: string, at: number])[] = [
  ['Transaction', 0],
  ['getConnection', 0],
  ['getManager', 0],
  ['getRepository', 1],
  ['getTreeRepository', 1],
  ['getCustomRepository', 1],
];

const injected: readonly (readonly [name: string, at: number])[] = [
  ['InjectRepository', 1],
  ['InjectDataSource', 0],
  ['InjectConnection', 0],
  ['InjectEntityManager', 0],
];

/**
 * Facts: TypeORM 1.1.1, the same in 0.3, with the functions of 0.2 and 0.3 that find a data source by its name (`globals.js`).
 * `transaction` of a manager that has a query runner is a savepoint on that (`entity-manager/EntityManager.js`). Managers and
 * repositories of a transaction have the same types as others. The data source itself is a pool of the driver's row. Decorators:
 * @nestjs/typeorm 11 `dist/common/typeorm.decorators.js`.
 */
const typeormRow: Omit<Library, 'module'> = {
  ...row,
  name: 'TypeORM',
  poolClasses: ['DataSource', 'Connection'],
  lends: transactions('transaction'),
  sends: [
    { paths: [...sent, ...ofDataSource], by: null },
    { paths: ['createQueryBuilder'], by: sentBuilt },
  ],
  tags: ['sql'],
  boundBy: ['setQueryRunner'],
  texts: ['query'],
  builds: {
    inCapitals: true,
    calls: [
      ...each(['handle', 'argument'], {
        select:
          'find findBy findAndCount findAndCountBy findOne findOneBy findOneOrFail findOneByOrFail count countBy exists existsBy exist sum average minimum maximum',
        insert: 'insert upsert',
        update: 'update softDelete restore increment decrement updateAll',
        delete: 'delete deleteAll',
        truncate: 'clear',
      }),
      ...of(['handle', 'argument'], ['select', 'insert', 'update'], 'save softRemove recover'),
      ...of(['handle', 'argument'], ['select', 'delete'], 'remove'),
      {
        paths: ['createQueryBuilder'],
        verbs: ['select'],
        behind: byMethod({
          insert: 'insert',
          update: 'update softDelete restore',
          delete: 'delete',
        }),
        table: ['handle', 'argument', { behind: 'from' }, { behind: 'into' }, { behind: 'update' }],
      },
    ],
    reaches: ['relations', 'cascade', 'eager', 'relation', 'loadRelationIdAndMap'],
    tables: {
      ...noTables,
      decorators: ['Entity', 'ViewEntity'],
      makers: ['EntitySchema'],
      options: ['tableName', 'name'],
      unnamed: 'underscored',
    },
  },
  mayBind: { ...asArgument(2, 'query'), ...asArgument(-1, 'createQueryBuilder') },
  derives: {
    members: ['manager', 'connection', 'dataSource'],
    methods: [
      'getRepository',
      'getTreeRepository',
      'getCustomRepository',
      'createEntityManager',
      'extend',
    ],
    alike: 'manager',
    outside: ['connection', 'dataSource'],
  },
  lendable: ['EntityManager', 'Repository', 'TreeRepository', 'AbstractRepository'],
  models: {
    ...noModels,
    classes: ['BaseEntity'],
    finds: ['create', 'findOne', 'findOneBy', 'findOneOrFail', 'findOneByOrFail', 'preload'],
  },
  byName: [
    ...legacy.map(([name, at]) => ({ module: 'typeorm', name, at })),
    ...injected.map(([name, at]) => ({ module: '@nestjs/typeorm', name, at })),
  ],
  holds: ['Transaction'],
  lateQuery: 'it throws QueryRunnerAlreadyReleasedError',
  unawaited: rolledBackUnseen,
  keepsSession: true,
  postgresql: toldPostgresql('type', ['postgres']),
  together: queued,
  // One counter of depth for all of them (`query-runner/BaseQueryRunner.js`, `transactionDepth`).
  nestedTogether: "they release each other's savepoints and fail",
};

export const typeorm = under(['typeorm'], typeormRow);
