import pg from 'pg';
import type { FreshDatabase } from './fresh-database.ts';
import { postgresUrl } from './postgres-url.ts';

export interface DatabaseWatch {
  /** What is still connected to the database, once nobody is: it waits for the last one to go. */
  sessions(): Promise<readonly string[]>;
  /** Resolves when some session of the database fulfils the SQL condition over `pg_stat_activity`. */
  until(condition: string): Promise<void>;
  close(): Promise<void>;
}

/** Looks at one test database from outside, over a connection to another one. */
export async function createDatabaseWatch({ name }: FreshDatabase): Promise<DatabaseWatch> {
  const client = new pg.Client({ connectionString: postgresUrl() });
  await client.connect();
  const read = async (condition: string) => {
    const { rows } = await client.query<{ text: string }>(
      `SELECT format('%s %s %s %s', pid, application_name, state, query) AS text FROM pg_stat_activity WHERE datname = $1 AND backend_type = 'client backend' AND (${condition})`,
      [name],
    );
    return rows.map(({ text }) => text);
  };
  /** Backends leave `pg_stat_activity` a moment after their socket closed, and no event tells. */
  const poll = async (condition: string, done: (found: readonly string[]) => boolean) => {
    let found = await read(condition);
    while (!done(found)) {
      await client.query('SELECT pg_sleep(0.01)');
      found = await read(condition);
    }
    return found;
  };
  return {
    sessions: () => poll('true', (found) => found.length === 0),
    until: async (condition) => void (await poll(condition, (some) => some.length > 0)),
    close: () => client.end(),
  };
}
