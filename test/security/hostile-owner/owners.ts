import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import type { HostileServer } from './hostile-server.ts';
import { trappedDatabases, type OwnedDatabase } from './owners/databases.ts';
import { isKnownTo, readNote, type OwnedWay } from './owners/owned-way.ts';
import { plantDatabases, waysKnownTo } from './owners/plant-databases.ts';
import { refusedToOwners } from './owners/refused-to-owners.ts';
import { roleWords } from './places.ts';

const role = 'analyst';

/** Nothing of an owner whom nobody trusts is run, by whichever of his ways. */
export function describeOwners(serverOf: () => HostileServer): void {
  describe(`code of other owners, as ${roleWords[role]}`, () => {
    beforeAll(() => plantDatabases(serverOf()));

    test('there are more than a hundred ways', () => {
      const names = trappedDatabases.flatMap(({ ways }) => ways.map(({ name }) => name));
      expect(names.length).toBeGreaterThan(100);
      expect(new Set(names).size).toBe(names.length);
    });

    test('no owner makes what is left out', async () => {
      const server = serverOf();
      const owner = await server.connect('mallory', 'owner', 'ledger');
      const known = refusedToOwners.filter((kind) => isKnownTo(server.major, kind));
      const answers: Record<string, string> = {};
      for (const { name, statement } of known)
        answers[name] = await owner.query(statement).then(
          () => 'made',
          (error: unknown) =>
            (error instanceof pg.DatabaseError ? error.code : String(error)) ?? '',
        );
      await owner.end();
      expect(answers).toEqual(Object.fromEntries(known.map(({ name, code }) => [name, code])));
    });

    test('each way runs it, when the statement is simply sent', async () => {
      const server = serverOf();
      await server.log.read();
      const failures: string[] = [];
      for (const database of knownTrapped(server)) {
        const victim = await connectCarelessly(server, database);
        for (const way of waysKnownTo(server.major, database))
          failures.push(...(await runCarelessly(victim, way)));
        await victim.end();
      }
      const noted = await notedCalls(server);
      expect(failures).toEqual([]);
      expect(
        knownTrapped(server)
          .flatMap((database) => waysKnownTo(server.major, database))
          .flatMap(({ name }) => (noted.includes(name) ? [] : [name])),
      ).toEqual([]);
    });
  });
}

function knownTrapped({ major }: HostileServer): readonly OwnedDatabase[] {
  return trappedDatabases.filter((database) => isKnownTo(major, database));
}

/** Names of the ways whose code was run since the log was last read. */
async function notedCalls({ log }: HostileServer): Promise<readonly string[]> {
  return (await log.read()).flatMap(({ text }) => readNote(text) ?? []);
}

/** As any application does. */
async function connectCarelessly(
  server: HostileServer,
  { name }: OwnedDatabase,
): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: server.url({ role, path: 'direct' }, name),
    application_name: 'careless',
  });
  await client.connect();
  return client;
}

/** In a transaction that is rolled back. Gives back what went wrong. */
async function runCarelessly(
  victim: pg.Client,
  { name, statement, left, writes }: OwnedWay,
): Promise<readonly string[]> {
  try {
    if (left !== undefined) await victim.query(left);
    await victim.query(writes === true ? 'BEGIN' : 'BEGIN READ ONLY');
    await victim.query(statement);
    return [];
  } catch (error) {
    return [`${name}: ${String(error)}`];
  } finally {
    await victim.query('ROLLBACK');
  }
}
