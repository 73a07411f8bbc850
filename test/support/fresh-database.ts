import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

export interface FreshDatabase {
  readonly url: string;
  readonly name: string;
  drop(): Promise<void>;
}

/** Creates a database of its own on the shared server, so that test files do not see each other's tables. */
export async function createFreshDatabase(): Promise<FreshDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const url = new URL(inject('postgresUrl'));
  await asSuperuser(`CREATE DATABASE ${name}`);
  url.pathname = `/${name}`;
  return { url: url.href, name, drop: () => asSuperuser(`DROP DATABASE ${name} WITH (FORCE)`) };
}

/** Runs one statement on the shared server's `postgres` database with a connection of its own. */
export async function asSuperuser(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
