import pg from 'pg';
import { inject } from 'vitest';

/** Runs statements one after the other on the server that all end-to-end tests share; the rows of the last one. */
export async function asSuperuser(...statements: readonly string[]): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') });
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
