import { randomBytes } from 'node:crypto';
import pg from 'pg';

/**
 * Creates an empty database on a throw-away server, with a role of the same name that owns it. Gives that role's connection string.
 * The role is an ordinary one, since a probe runs as no superuser; pg_monitor lets it see every session.
 */
export async function createOrdinaryDatabase(adminUrl: string, name: string): Promise<string> {
  const password = randomBytes(16).toString('hex');
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(
      `CREATE ROLE ${client.escapeIdentifier(name)} LOGIN PASSWORD ${client.escapeLiteral(password)}`,
    );
    await client.query(`GRANT pg_monitor TO ${client.escapeIdentifier(name)}`);
    await client.query(
      `CREATE DATABASE ${client.escapeIdentifier(name)} OWNER ${client.escapeIdentifier(name)}`,
    );
  } finally {
    await client.end();
  }
  const url = new URL(adminUrl);
  return Object.assign(url, { username: name, password, pathname: `/${name}` }).href;
}
