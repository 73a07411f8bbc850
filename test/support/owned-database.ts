import { randomBytes } from 'node:crypto';
import { postgresUrl } from './postgres-url.ts';
import { runOn } from './run-on.ts';

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
  await runOn(
    postgresUrl(),
    `CREATE ROLE ${name} LOGIN PASSWORD '${password}'`,
    `CREATE DATABASE ${name} OWNER ${name} CONNECTION LIMIT ${connectionLimit}`,
  );
  const url = new URL(postgresUrl());
  Object.assign(url, { username: name, password, pathname: `/${name}` });
  await runOn(url.href, tables);
  return {
    url: url.href,
    [Symbol.asyncDispose]: () =>
      runOn(postgresUrl(), `DROP DATABASE ${name} WITH (FORCE)`, `DROP ROLE ${name}`),
  };
}
