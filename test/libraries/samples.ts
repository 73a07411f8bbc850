import { libraries } from '../../rules/model/libraries.ts';
import type { Library } from '../../rules/model/library.ts';
import type { HabitsSample, Sample } from './sample.ts';
import { bun } from './bun/in-bun.ts';
import { databases } from './samples/databases.ts';
import { drizzleOnPostgresJs } from './samples/drizzle-postgres-js.ts';
import { drizzleOnNodePostgres } from './samples/drizzle.ts';
import { knex } from './samples/knex.ts';
import { kysely } from './samples/kysely.ts';
import { mikroOrm, mikroOrmTransactional } from './samples/mikro-orm.ts';
import { objection } from './samples/objection.ts';
import { pgPromiseSample } from './samples/pg-promise.ts';
import { postgresJs } from './samples/postgres-js.ts';
import { prisma } from './samples/prisma.ts';
import { sequelize7 } from './samples/sequelize-7.ts';
import { sequelize } from './samples/sequelize.ts';
import { slonik } from './samples/slonik.ts';
import { typeorm } from './samples/typeorm.ts';
import { typeormTransactional } from './samples/typeorm-transactional.ts';

const withHabits: readonly HabitsSample[] = [
  drizzleOnNodePostgres,
  kysely,
  knex,
  objection,
  postgresJs,
  bun,
  ...slonik,
  pgPromiseSample,
  databases,
  prisma,
  sequelize,
  sequelize7,
  typeorm,
  mikroOrm,
];

/** Each library beside its row. */
export const samples = [...withHabits, drizzleOnPostgresJs].flatMap(besideItsRow);

export const samplesOfHabits = withHabits.flatMap(besideItsRow);

export const ambientSamples = [typeormTransactional, mikroOrmTransactional].flatMap(besideItsRow);

function besideItsRow<S extends Pick<Sample, 'module' | 'variant'>>(
  sample: S,
): readonly SampleAndRow<S>[] {
  return libraries
    .filter(({ module }) => module === sample.module)
    .map((row) => ({
      title: [sample.module, sample.variant ?? []].flat().join(', '),
      sample,
      row,
    }));
}

interface SampleAndRow<S> {
  readonly title: string;
  readonly sample: S;
  readonly row: Library;
}
