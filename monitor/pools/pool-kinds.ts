import { knexPool, knexSource } from './knex.ts';
import { pgPool, pgPoolSource } from './pg-pool/pg-pool.ts';
import type { PoolKind, PoolSource } from './pool-kind.ts';
import { postgresJsPool, postgresJsSource } from './postgres-js/postgres-js.ts';
import { sequelizePool, sequelizeSource } from './sequelize.ts';

/** Every pool that can be watched. */
export const poolKinds: readonly PoolKind[] = [pgPool, knexPool, sequelizePool, postgresJsPool].map(
  (kind) => kind as unknown as PoolKind,
);

/** How they are found in an application that was not changed. */
export const poolSources: readonly PoolSource[] = [
  pgPoolSource,
  knexSource,
  sequelizeSource,
  postgresJsSource,
];
