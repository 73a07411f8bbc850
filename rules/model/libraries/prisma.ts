import { each, noTables, of } from '../built.ts';
import { row, toldPostgresql, transactions, under } from '../row.ts';

const prismaMethods: readonly string[] =
  'findUnique findUniqueOrThrow findFirst findFirstOrThrow findMany create createMany createManyAndReturn update updateMany updateManyAndReturn upsert delete deleteMany aggregate groupBy count'.split(
    ' ',
  );

/**
 * Facts: Prisma 7.10 and 6.19 `runtime/getPrismaClient.ts`; a `PrismaPromise` runs once somebody waits for it.
 * `tx.$transaction` is a savepoint in version 7, and missing before (`denylist` of `runtime/client.d.ts`, `runtime/library.d.ts`).
 */
export const prisma = under(['@prisma/client', '@prisma/client/edge', '.prisma/client'], {
  ...row,
  name: 'Prisma',
  poolClasses: ['PrismaClient'],
  lends: transactions('$transaction'),
  lendsUnmistakably: true,
  sends: [
    {
      paths: [
        ...prismaMethods.map((method) => `*.${method}`),
        '$queryRaw',
        '$executeRaw',
        '$queryRawUnsafe',
        '$executeRawUnsafe',
      ],
      by: null,
    },
  ],
  derives: { members: [], methods: ['$extends'], alike: null },
  generates: {
    exported: ['PrismaClient'],
    imports: /['"](?:@prisma\/client|\.)\/runtime\/[\w-]+(?:\.m?js)?['"]/u,
  },
  builds: {
    inCapitals: true,
    calls: [
      ...each(['member'], {
        select:
          '*.findUnique *.findUniqueOrThrow *.findFirst *.findFirstOrThrow *.findMany *.aggregate *.groupBy *.count',
        insert: '*.createMany *.createManyAndReturn',
        update: '*.updateMany *.updateManyAndReturn',
        delete: '*.deleteMany',
      }),
      ...of(['member'], ['insert', 'select'], '*.create'),
      ...of(['member'], ['update', 'select'], '*.update'),
      ...of(['member'], ['insert', 'update', 'select'], '*.upsert'),
      ...of(['member'], ['delete', 'select'], '*.delete'),
    ],
    reaches: [
      'include',
      'select',
      'connect',
      'connectOrCreate',
      'create',
      'createMany',
      'upsert',
      'set',
      'disconnect',
    ],
    tables: { ...noTables, unnamed: 'same' },
  },
  tags: ['$queryRaw', '$executeRaw'],
  texts: ['$queryRaw', '$executeRaw', '$queryRawUnsafe', '$executeRawUnsafe'],
  isLazy: true,
  notInside: ['$transaction'],
  lateQuery: 'it rejects with P2028',
  unawaited: 'it rejects with P2028',
  keepsSession: true,
  postgresql: toldPostgresql('adapter', [], ['PrismaPg']),
  together: null,
});
