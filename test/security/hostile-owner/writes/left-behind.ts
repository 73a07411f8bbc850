import pg from 'pg';
import { expect } from 'vitest';
import { poolSizeOf, type HostileServer } from '../hostile-server.ts';
import type { Place } from '../places.ts';

/** What a superuser finds in the database: a row for each kind of thing that must be as it was. */
const databaseSql = `
  SELECT json_build_object(
    'rows', (SELECT json_agg(way) FROM (SELECT DISTINCT way FROM loot.rows) AS each),
    'target', (SELECT json_agg(word ORDER BY id) FROM loot.target),
    'sequence', (SELECT json_build_array(last_value, is_called) FROM loot.numbers),
    'large objects', (SELECT json_agg(oid) FROM pg_largeobject_metadata),
    'relations', (SELECT json_agg(oid::regclass::text ORDER BY oid) FROM pg_class WHERE relnamespace = 'loot'::regnamespace OR relpersistence = 't'),
    'functions', (SELECT count(*) FROM pg_proc WHERE pronamespace = 'loot'::regnamespace),
    'types', (SELECT count(*) FROM pg_type),
    'settings of roles', (SELECT json_agg(setconfig ORDER BY setdatabase, setrole) FROM pg_db_role_setting),
    'statistics', (SELECT count(*) FROM pg_statistic WHERE starelid IN ('loot.source'::regclass, 'loot.target'::regclass)),
    'comments', (SELECT count(*) FROM pg_description WHERE objoid = 'loot'::regnamespace),
    'prepared transactions', (SELECT count(*) FROM pg_prepared_xacts),
    'advisory locks', (SELECT json_agg(json_build_array(classid, objid)) FROM pg_locks WHERE locktype = 'advisory'),
    'system settings', (SELECT json_agg(name) FROM pg_file_settings WHERE sourcefile LIKE '%postgresql.auto.conf')
  ) AS found`;

/** What a backend keeps of whoever had it before: settings that are not those of its start, and what only a session has. */
const backendSql = `
  SELECT pg_catalog.pg_backend_pid() AS pid, pg_catalog.json_build_object(
    'settings', (SELECT pg_catalog.json_object_agg(name, setting ORDER BY name COLLATE pg_catalog."C") FROM pg_catalog.pg_settings
                  WHERE setting OPERATOR(pg_catalog.<>) COALESCE(reset_val, '') AND name OPERATOR(pg_catalog.<>) ALL (ARRAY['application_name', 'transaction_isolation', 'transaction_read_only', 'transaction_deferrable', 'is_superuser', 'session_authorization', 'seed', 'in_hot_standby'])
                    AND context OPERATOR(pg_catalog.=) ANY (ARRAY['user', 'superuser'])),
    'kept', pg_catalog.concat(pg_catalog.current_setting('loot.kept', true), pg_catalog.current_setting('loot.armed', true)),
    'role', CURRENT_USER,
    'prepared statements', (SELECT pg_catalog.count(*) FROM pg_catalog.pg_prepared_statements WHERE from_sql),
    'channels', (SELECT pg_catalog.count(*) FROM pg_catalog.pg_listening_channels()),
    'cursors', (SELECT pg_catalog.count(*) FROM pg_catalog.pg_cursors WHERE is_holdable),
    'temporary', (SELECT pg_catalog.count(*) FROM pg_catalog.pg_class WHERE relnamespace OPERATOR(pg_catalog.=) pg_catalog.pg_my_temp_schema())
  ) AS found FROM pg_catalog.pg_sleep(0.3)`;

export interface LeftBehind {
  /** What differs from before, in words. */
  compare(): Promise<readonly string[]>;
  close(): Promise<void>;
}

interface Found {
  readonly database: unknown;
  readonly backends: readonly unknown[];
}

/** Takes down, over a superuser's session, how things are in the database and on the backends that a pooler lends. */
export async function watchForLeftovers(
  server: HostileServer,
  admin: pg.Client,
  place: Place,
): Promise<LeftBehind> {
  const backends = poolSizeOf(place.path);
  const heard: string[] = [];
  const listener = await server.connect('boss', 'listener', 'store');
  listener.on('notification', ({ channel, payload }) => heard.push(`${channel} ${payload ?? ''}`));
  await listener.query('LISTEN loot');
  const look = async (): Promise<Found> => ({
    database: await lookAtDatabase(admin),
    backends: backends === 0 ? [] : await borrowAll(server.url(place, 'store'), backends),
  });
  const before = await look();
  return {
    compare: async () => {
      const after = await look();
      // Whatever was sent before this answer is here by then.
      await listener.query('SELECT');
      return [
        ...heard.map((text) => `notification ${text}`),
        ...differences('database', before.database, after.database),
        ...after.backends.flatMap((backend) => differences('backend', before.backends[0], backend)),
      ];
    },
    close: () => listener.end(),
  };
}

async function lookAtDatabase(admin: pg.Client): Promise<unknown> {
  const { rows } = await admin.query<{ found: unknown }>(databaseSql);
  return rows[0]?.found;
}

/** What each backend of the pool says that applications have from now on: all are borrowed at once, each for a third of a second. */
async function borrowAll(url: string, count: number): Promise<readonly unknown[]> {
  const clients = Array.from(
    { length: count },
    () => new pg.Client({ connectionString: url, application_name: 'borrower' }),
  );
  try {
    await Promise.all(clients.map((client) => client.connect()));
    const answers = await Promise.all(
      clients.map((client) => client.query<{ pid: number; found: unknown }>(backendSql)),
    );
    const rows = answers.flatMap(({ rows: [row] }) => (row === undefined ? [] : [row]));
    expect(new Set(rows.map(({ pid }) => pid)).size).toBe(count);
    return rows.map(({ found }) => found);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

function differences(where: string, before: unknown, after: unknown): readonly string[] {
  return [
    ...new Set(
      [...flatten('', before).entries(), ...flatten('', after).entries()].map(([key]) => key),
    ),
  ].flatMap((key) => {
    const [was, is] = [flatten('', before).get(key), flatten('', after).get(key)];
    return was === is
      ? []
      : [`${where}, ${key.slice(1)}: ${was ?? 'nothing'} became ${is ?? 'nothing'}`];
  });
}

/** Leaves by their path. */
function flatten(path: string, value: unknown): ReadonlyMap<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return new Map([[path, JSON.stringify(value)]]);
  return new Map(
    Object.entries(value).flatMap(([key, inner]) => [...flatten(`${path} ${key}`, inner)]),
  );
}
