import pg from 'pg';
import type { EmbeddedServer } from '../../../scripts/embedded-server.ts';
import { aggregateTwins, anyTakingTwins } from './traps/aggregates.ts';
import { evil, noteSql } from './traps/notes.ts';
import { loginTriggerSql, ownersObjects } from './traps/objects.ts';
import { ownersSettingsSql } from './traps/settings.ts';
import { plantSql, twinKinds } from './traps/twins.ts';

/** How many twins of each kind stand in the schema. */
export type Planted = Readonly<Record<string, number>>;

const ownersPath = `${evil}, pg_catalog, public`;

interface PlantOptions {
  readonly major: number;
  /** What a trap makes on the server when a superuser runs it. */
  readonly lootFile: string;
}

/** Makes the roles and the database `shop` of mallory, an ordinary role, who plants all that an ordinary role may. */
export async function plantDatabase(
  server: EmbeddedServer,
  { major, lootFile }: PlantOptions,
): Promise<Planted> {
  await runAll(server.url(), [
    ...['boss LOGIN SUPERUSER', 'analyst LOGIN', 'mallory LOGIN', 'app LOGIN'].map(
      (role) => `CREATE ROLE ${role} PASSWORD 'secret'`,
    ),
    'GRANT pg_monitor, pg_signal_backend TO analyst',
    'CREATE DATABASE shop OWNER mallory',
  ]);
  const client = new pg.Client({
    connectionString: server.url('shop'),
    application_name: 'hostile-suite',
    options: '-c search_path=pg_catalog,pg_temp -c check_function_bodies=off',
  });
  await client.connect();
  try {
    await client.query('SET SESSION AUTHORIZATION mallory');
    await client.query(
      `CREATE SCHEMA ${evil}; GRANT USAGE ON SCHEMA ${evil} TO PUBLIC; CREATE SCHEMA stats; GRANT USAGE ON SCHEMA stats TO PUBLIC`,
    );
    for (const statement of [
      noteSql(lootFile),
      ...ownersObjects,
      ...aggregateTwins,
      ...anyTakingTwins,
    ])
      await client.query(statement);
    const planted = await plantTwins(client);
    for (const statement of ownersSettingsSql('shop', ownersPath)) await client.query(statement);
    await client.query('RESET SESSION AUTHORIZATION');
    await client.query('CREATE EXTENSION pg_stat_statements SCHEMA stats');
    if (major >= 17)
      for (const statement of loginTriggerSql(evil, ownersPath)) await client.query(statement);
    for (const role of ['boss', 'analyst'])
      await client.query(`ALTER ROLE ${role} IN DATABASE shop SET search_path = ${ownersPath}`);
    return { ...planted, aggregates: aggregateTwins.length };
  } finally {
    await client.end();
  }
}

async function plantTwins(client: pg.Client): Promise<Planted> {
  const planted: Record<string, number> = {};
  for (const kind of twinKinds) {
    client.once(
      'notice',
      (notice: { readonly message?: string | undefined }) =>
        (planted[kind.name] = Number(/^planted (\d+)$/.exec(notice.message ?? '')?.[1])),
    );
    await client.query(plantSql(kind));
  }
  return planted;
}

async function runAll(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'hostile-suite' });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}
