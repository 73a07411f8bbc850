import type pg from 'pg';
import { suiteName, type HostileServer } from '../hostile-server.ts';
import { everyDatabase, ownerRoles, type OwnedDatabase } from './databases.ts';
import { isKnownTo, noteOf, type OwnedWay } from './owned-way.ts';

/** Makes the roles and all databases that this version knows, with what waits in them. */
export async function plantDatabases(server: HostileServer): Promise<void> {
  for (const statement of ownerRoles) await server.admin.query(statement);
  const known = everyDatabase.filter((database) => isKnownTo(server.major, database));
  for (const { name, owner } of known)
    await server.admin.query(
      `CREATE DATABASE ${name}${owner === undefined ? '' : ` OWNER ${owner}`}`,
    );
  await Promise.all(known.map((database) => plant(server, database)));
}

/** One after the other: all before the statements of the next. */
async function plant(
  { connect, port, major }: HostileServer,
  database: OwnedDatabase,
): Promise<void> {
  const client = await connect('boss', suiteName, database.name);
  try {
    // Until version 15 everybody may create there, and would have to be asked for.
    await client.query('REVOKE CREATE ON SCHEMA public FROM PUBLIC');
    for (const statement of database.before?.(port) ?? []) await client.query(statement);
    await client.query('SET check_function_bodies = off');
    for (const way of waysKnownTo(major, database)) await make(client, way);
    for (const statement of database.after ?? []) await client.query(statement);
  } finally {
    await client.end();
  }
}

export function waysKnownTo(
  major: number,
  { ways }: Pick<OwnedDatabase, 'ways'>,
): readonly OwnedWay[] {
  return ways.filter((way) => isKnownTo(major, way));
}

async function make(client: pg.Client, { name, by = 'mallory', setup }: OwnedWay): Promise<void> {
  await client.query(`SET SESSION AUTHORIZATION ${by}`);
  for (const statement of setup(noteOf(name)))
    await client.query(statement).catch((cause: unknown) => {
      throw new Error(`${name}: ${statement}`, { cause });
    });
  await client.query('RESET SESSION AUTHORIZATION');
}
