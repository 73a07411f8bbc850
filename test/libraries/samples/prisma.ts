import { PrismaPg } from '@prisma/adapter-pg';
import { pgPoolExhausted } from '../pg-pool.ts';
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
import { PrismaClient, type TransactionClient } from './prisma-client.ts';

const data = { text: 'outer' };
const where = { text: 'none' };

function callsOf(prisma: PrismaClient): Calls<TransactionClient> {
  return {
    lends: { $transaction: (work) => prisma.$transaction(work) },
    sends: {
      '*.findUnique': () => prisma.note.findUnique({ where }),
      '*.findUniqueOrThrow': () => prisma.note.findUniqueOrThrow({ where }),
      '*.findFirst': () => prisma.note.findFirst(),
      '*.findFirstOrThrow': () => prisma.note.findFirstOrThrow(),
      '*.findMany': () => prisma.note.findMany(),
      '*.create': () => prisma.note.create({ data }),
      '*.createMany': () => prisma.note.createMany({ data }),
      '*.createManyAndReturn': () => prisma.note.createManyAndReturn({ data }),
      '*.update': () => prisma.note.update({ data, where }),
      '*.updateMany': () => prisma.note.updateMany({ data, where }),
      '*.updateManyAndReturn': () => prisma.note.updateManyAndReturn({ data, where }),
      '*.upsert': () => prisma.note.upsert({ where, create: data, update: data }),
      '*.delete': () => prisma.note.delete({ where }),
      '*.deleteMany': () => prisma.note.deleteMany({ where }),
      '*.aggregate': () => prisma.note.aggregate({ _max: { text: true } }),
      '*.groupBy': () => prisma.note.groupBy({ by: ['text'] }),
      '*.count': () => prisma.note.count(),
      $queryRaw: () => prisma.$queryRaw`SELECT 1`,
      $executeRaw: () => prisma.$executeRaw`SELECT 1`,
      $queryRawUnsafe: () => prisma.$queryRawUnsafe('SELECT 1'),
      $executeRawUnsafe: () => prisma.$executeRawUnsafe('SELECT 1'),
    },
    harmless: (inner) => ({
      unawaited: () => void prisma.note.create({ data }),
      extended: () => prisma.$extends({}),
      savepoint: () => inner.$transaction((innermost) => innermost.$executeRaw`SELECT 1`),
    }),
    begins: {},
    write: (text, inner = prisma) => inner.note.create({ data: { text } }),
    end: () => prisma.$disconnect(),
  };
}

function open(url: string, { max, patienceMs }: PoolOptions): Habitual<TransactionClient> {
  const prisma = new PrismaClient({
    adapter: new PrismaPg({
      connectionString: url,
      max,
      connectionTimeoutMillis: patienceMs,
    }),
    transactionOptions: { timeout: 60_000, maxWait: 60_000 },
  });
  const mistakes: Mistakes = {
    writes: (fails) =>
      prisma.$transaction(async (tx) => {
        await tx.note.create({ data: { text: 'inner' } });
        await prisma.note.create({ data: { text: 'outer' } }); // expect: no-nested-checkout
        if (fails) throw new Error(rolledBack);
      }),
    asks: (url) =>
      prisma.$transaction(async (tx) => {
        await fetch(url); // expect: no-external-await-while-holding
        await tx.note.create({ data: { text: 'asked' } });
      }),
    sendsTwo: () =>
      prisma.$transaction(async (tx) => {
        await Promise.all([tx.$executeRawUnsafe(lock), tx.$executeRawUnsafe(second)]);
      }),
    async writesLate() {
      const [ended] = await prisma.$transaction((tx) => Promise.resolve([tx]));
      await ended?.note.create({ data: { text: 'late' } });
    },
  };
  const cures: Habits = {
    writes: (fails) =>
      prisma.$transaction(async (tx) => {
        await tx.note.create({ data: { text: 'inner' } });
        await tx.note.create({ data: { text: 'outer' } });
        if (fails) throw new Error(rolledBack);
      }),
    async asks(url) {
      await fetch(url);
      await prisma.$transaction(async (tx) => {
        await tx.note.create({ data: { text: 'asked' } });
      });
    },
    sendsTwo: () =>
      prisma.$transaction(async (tx) => {
        await tx.$executeRawUnsafe(lock);
        await tx.$executeRawUnsafe(second);
      }),
  };
  return { ...callsOf(prisma), mistakes, cures };
}

export const prisma: HabitsSample = {
  module: '@prisma/client',
  unawaited: 'late',
  exhausted: pgPoolExhausted,
  ended: /Transaction already closed/u,
  open,
};
