import { randomBytes } from 'node:crypto';
import { createOrdinaryDatabase } from '../../scripts/ordinary-database.ts';
import { postgresUrl } from './postgres-url.ts';
import { runOn } from './run-on.ts';

export interface FreshDatabase {
  /** The superuser's connection string. */
  readonly url: string;
  /** The owner's, an ordinary role that may use whatever the superuser makes here: who probes. */
  readonly ownerUrl: string;
  readonly name: string;
  drop(): Promise<void>;
}

/** Creates a database of its own on the shared server, so that test files do not see each other's tables. */
export async function createFreshDatabase(): Promise<FreshDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const ownerUrl = await createOrdinaryDatabase(postgresUrl(), name);
  const url = new URL(postgresUrl());
  url.pathname = `/${name}`;
  await runOn(
    url.href,
    ['TABLES', 'SEQUENCES']
      .map((kind) => `ALTER DEFAULT PRIVILEGES GRANT ALL ON ${kind} TO ${name}`)
      .join('; '),
  );
  const drop = async () => {
    await asSuperuser(`DROP DATABASE ${name} WITH (FORCE)`);
    await asSuperuser(`DROP ROLE ${name}`);
  };
  return { url: url.href, ownerUrl, name, drop };
}

/** Runs one statement on the shared server's `postgres` database with a connection of its own. */
export function asSuperuser(sql: string): Promise<void> {
  return runOn(postgresUrl(), sql);
}
