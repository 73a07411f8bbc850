import type pg from 'pg';
import { suiteName, type HostileServer } from '../hostile-server.ts';
import { loginTriggerSql } from '../traps/objects.ts';
import { ownersSettingsSql } from '../traps/settings.ts';
import { lootSchema, setupOf, type Way } from './way.ts';

/** What an administrator installed for everybody, as many do. */
const extensions = ['pg_trgm', 'isn', 'tablefunc', 'dblink', 'postgres_fdw'] as const;

const ownersPath = 'loot, public';

/** The same database as another server, for tables that lie there. */
const remoteTables = (port: number): readonly string[] => [
  `CREATE SERVER far FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '127.0.0.1', port '${port}', dbname 'store')`,
  `CREATE USER MAPPING FOR PUBLIC SERVER far OPTIONS (user 'analyst', password 'secret')`,
  `CREATE VIEW loot.near_writing AS SELECT loot.insert_row('remote table') AS done`,
  'CREATE VIEW loot.near_keeping AS SELECT loot.keep_setting() AS kept',
  `CREATE FOREIGN TABLE loot.far_writing (done int) SERVER far OPTIONS (schema_name 'loot', table_name 'near_writing')`,
  `CREATE FOREIGN TABLE loot.far_keeping (kept int) SERVER far OPTIONS (schema_name 'loot', table_name 'near_keeping')`,
];

/** Makes a database `store` of mallory's with what each way needs, and gives back a superuser's session in it, whose path is pinned. */
export async function plantWays(
  { admin, connect, port, major }: HostileServer,
  ways: readonly Way[],
): Promise<pg.Client> {
  await admin.query('CREATE DATABASE store OWNER mallory');
  const client = await connect('boss', suiteName, 'store');
  for (const name of extensions) await client.query(`CREATE EXTENSION ${name} SCHEMA public`);
  await client.query('GRANT USAGE ON FOREIGN DATA WRAPPER postgres_fdw TO mallory');
  await client.query('SET SESSION AUTHORIZATION mallory; SET check_function_bodies = off');
  const readable = 'GRANT SELECT ON ALL TABLES IN SCHEMA loot TO PUBLIC';
  const statements = [
    ...lootSchema,
    ...remoteTables(port),
    ...ways.flatMap(setupOf),
    readable,
    ...ownersSettingsSql('store', ownersPath),
    'ALTER DATABASE store SET row_security = on',
  ];
  for (const statement of statements) await client.query(statement);
  await client.query('RESET SESSION AUTHORIZATION; RESET check_function_bodies');
  if (major >= 17)
    for (const statement of loginTriggerSql('loot', ownersPath)) await client.query(statement);
  return client;
}
