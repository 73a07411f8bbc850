import pg from 'pg';
import { postgresUrl } from '../../support/postgres-url.ts';

/** The connection string of a role, for the database of the same name unless another is named. */
export function urlAs(role: string, password: string, database = role): string {
  return Object.assign(new URL(postgresUrl()), {
    username: role,
    password,
    pathname: `/${database}`,
  }).href;
}

/** A role that may look, with a database of the same name. */
export async function createRole(role: string, password: string): Promise<void> {
  await asSuperuser(
    `CREATE ROLE ${role} LOGIN PASSWORD '${password}'`,
    `GRANT pg_monitor TO ${role}`,
    `CREATE DATABASE ${role} OWNER ${role}`,
  );
}

/** Runs statements one after the other on that server; the rows of the last one. */
export async function asSuperuser(...statements: readonly string[]): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: postgresUrl() });
  await client.connect();
  try {
    let rows: unknown[] = [];
    for (const statement of statements) rows = (await client.query(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}

/** How many sessions Poolguard has on it, those of a probe included. */
export async function ownSessions(): Promise<number> {
  const [row] = await asSuperuser(
    "SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name ILIKE 'poolguard%'",
  );
  return (row as { count: number }).count;
}
