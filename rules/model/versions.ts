/**
 * The newest major version of each package whose facts the rows state: what `package-lock.json` has of those that tests run, else what
 * the rows name as their source. A newer one is taken to be the same.
 */
export const newestMajors: Readonly<Record<string, number>> = {
  pg: 8,
  'pg-pool': 3,
  mysql2: 3,
  mysql: 2,
  '@databases/pg': 6,
  '@mikro-orm/core': 7,
  '@mikro-orm/postgresql': 7,
  '@nestjs-cls/transactional': 3,
  '@prisma/client': 7,
  '@sequelize/core': 7,
  'drizzle-orm': 0,
  knex: 3,
  kysely: 0,
  objection: 3,
  'pg-promise': 12,
  postgres: 3,
  sequelize: 6,
  slonik: 47,
  typeorm: 1,
  'typeorm-transactional': 0,
};

/** The package of an import: `drizzle-orm` of `drizzle-orm/node-postgres`. */
export function packageOf(module: string): string {
  return module.split('/', module.startsWith('@') ? 2 : 1).join('/');
}

/** The newest known major version, where a version is of a newer one. */
export function olderKnownMajor(name: string, version: string): number | undefined {
  const known = newestMajors[name];
  return known !== undefined && Number.parseInt(version, 10) > known ? known : undefined;
}
