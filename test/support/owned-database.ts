import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

export interface OwnedDatabase extends AsyncDisposable {
  /** The connection string of the owner, an ordinary role. */
  readonly url: string;
}

export interface OwnedDatabaseOptions {
  /** Statements that the owner runs. */
  readonly tables?: string;
  readonly connectionLimit?: number;
}

/** Creates a database on the shared server, and a role of the same name that owns it and has no further rights. */
export async function createOwnedDatabase({
  tables = '',
  connectionLimit = -1,
}: OwnedDatabaseOptions = {}): Promise<OwnedDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const password = randomBytes(16).toString('hex');
  await runOn(inject('postgresUrl'), [
    `CREATE ROLE ${name} LOGIN PASSWORD '${password}'`,
    `CREATE DATABASE ${name} OWNER ${name} CONNECTION LIMIT ${connectionLimit}`,
  ]);
  const url = new URL(inject('postgresUrl'));
  Object.assign(url, { username: name, password, pathname: `/${name}` });
  await runOn(url.href, [tables]);
  return {
    url: url.href,
    [Symbol.asyncDispose]: () =>
      runOn(inject('postgresUrl'), [`DROP DATABASE ${name} WITH (FORCE)`, `DROP ROLE ${name}`]),
  };
}

async function runOn(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
