import pg from 'pg';

/** A session of its own that counts the others. */
export interface SessionCounter extends AsyncDisposable {
  /** Sessions by `application_name`; what a name says behind a slash, as a probe's does, is left out. */
  count(): Promise<ReadonlyMap<string, number>>;
}

const statement = `
  SELECT split_part(application_name, '/', 1) AS name, count(*)::int AS count FROM pg_stat_activity
   WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() GROUP BY 1`;

export async function openSessionCounter(url: string): Promise<SessionCounter> {
  const client = new pg.Client({ connectionString: url, application_name: 'soak-eye' });
  client.on('error', () => undefined);
  await client.connect();
  return {
    count: async () =>
      new Map(
        (await client.query<{ name: string; count: number }>(statement)).rows.map(
          ({ name, count }) => [name, count],
        ),
      ),
    [Symbol.asyncDispose]: () => client.end(),
  };
}
