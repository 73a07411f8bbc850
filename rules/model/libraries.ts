import { drivers, methods, type Driver } from './drivers.ts';
import type { Library } from './library.ts';
import { bun } from './libraries/bun.ts';
import { databases } from './libraries/databases.ts';
import { drizzle } from './libraries/drizzle.ts';
import { knex } from './libraries/knex.ts';
import { kysely } from './libraries/kysely.ts';
import { mikroOrm } from './libraries/mikro-orm.ts';
import { objection } from './libraries/objection.ts';
import { pgPromise } from './libraries/pg-promise.ts';
import { postgresJs } from './libraries/postgres-js.ts';
import { prisma } from './libraries/prisma.ts';
import { sequelize } from './libraries/sequelize.ts';
import { typeorm } from './libraries/typeorm.ts';
import { typeormTransactional } from './libraries/typeorm-transactional.ts';
import { nestjsCls } from './libraries/nestjs-cls.ts';
import { slonik } from './libraries/slonik.ts';

export const libraries: readonly Library[] = [
  ...drizzle,
  ...prisma,
  ...kysely,
  ...knex,
  ...objection,
  ...postgresJs,
  ...bun,
  ...slonik,
  ...pgPromise,
  ...databases,
  ...sequelize,
  ...mikroOrm,
  ...typeorm,
  ...typeormTransactional,
  ...nestjsCls,
];

/** Names by which a client comes back, and a connection of a library. */
export const releaseNames: ReadonlySet<string> = new Set([
  methods.release,
  ...libraries.flatMap(({ releases }) => releases),
]);

/** Names of the calls that give a connection without a callback. */
export const beginNames: ReadonlySet<string> = new Set(
  libraries.flatMap(({ begins }) => begins.map(({ path }) => path)),
);

/** Names of the calls that have a library build a query, and of those behind them that say what it does. */
export const buildingNames: ReadonlySet<string> = new Set(
  libraries.flatMap(({ builds }) =>
    (builds?.calls ?? []).flatMap(({ paths, behind }) => [
      ...paths.flatMap((path) => path.split('.').at(-1)?.replace('$', '\\$') || []),
      ...Object.keys(behind),
    ]),
  ),
);

/** The row of what a package exports, be it a driver as well: TypeORM's data source lends query runners, and speaks for its repositories. */
export function libraryFor(driver: Driver): Library | undefined {
  return libraryOf(driver) ?? libraries.find(({ module }) => module === driver.module);
}

/** The driver's row of what is a library as well. */
export function lenderBeside({ module }: Library): Driver | undefined {
  return drivers.find((each) => each.module === module);
}

/** Classes of models speak to pools of the library, its own or those of another one. */
export function isSpokenToByModels({ module, poolsOf: own, byName }: Library): boolean {
  return libraries.some(
    ({ models, poolsOf, module: other }) =>
      byName.length === 0 && models.classes.length > 0 && (poolsOf ?? other) === (own ?? module),
  );
}

/** The row of what a handle belongs to; undefined for a pool of a driver. */
export function libraryOf(driver: Driver): Library | undefined {
  return libraries.find((each) => each === driver);
}
