import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ProbeEvent } from '../../../src/probe/result.ts';
import { runNode } from '../../support/run-process.ts';
import type { Count } from './counts.ts';
import { poolSizeOf, type HostileServer } from './hostile-server.ts';
import { groupsOf, probeWays } from './owners/ask-for-owners.ts';
import { plainDatabases, trappedDatabases, type OwnedDatabase } from './owners/databases.ts';
import { isKnownTo, readNote, type OwnedWay } from './owners/owned-way.ts';
import { plantDatabases, waysKnownTo } from './owners/plant-databases.ts';
import { refusedToOwners } from './owners/refused-to-owners.ts';
import { paths, roleWords, type Path } from './places.ts';

/** The victim: an ordinary role, and none of the owners. */
const role = 'analyst';

/** So many versions share the ways that are probed alone. */
const shared = 4;

/** Nothing of an owner whom nobody trusts is run, by whichever of his ways. */
export function describeOwners(serverOf: () => HostileServer, count: Count): void {
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
        answers[name] = await owner.query(statement).then(() => 'made', codeOf);
      await owner.end();
      expect(answers).toEqual(Object.fromEntries(known.map(({ name, code }) => [name, code])));
    });

    test('each way runs it, when the statement is simply sent', async () => {
      const server = serverOf();
      await server.log.read();
      const failures: string[] = [];
      for (const database of knownTo(server, trappedDatabases)) {
        const victim = await connectCarelessly(server, database);
        for (const way of waysKnownTo(server.major, database))
          failures.push(...(await runCarelessly(victim, way)));
        await victim.end();
      }
      const { calls } = await readShown(server);
      expect(failures).toEqual([]);
      expect(
        everyWay(server).flatMap(({ way: { name } }) => (calls.includes(name) ? [] : [name])),
      ).toEqual([]);
    });

    test.each(paths)('none is run by a probe, nor seen by the server: %s', async (path) => {
      const server = serverOf();
      await leaveBehind(server, path);
      await server.log.read();
      const answers = await askForAll(server, path);
      const { calls, parsed } = await readShown(server);
      count({ role, path }, { ways: everyWay(server).length, called: calls.length });
      expect(answers.filter(({ got, expected }) => got !== expected)).toEqual([]);
      expect(parsed).toEqual([]);
      const atLogin = everyWay(server).flatMap(({ way }) => (way.atLogin === true ? way.name : []));
      expect(calls.filter((name) => !atLogin.includes(name))).toEqual([]);
      // Of the session that asks; nothing comes before it.
      expect(calls.length).toBeLessThanOrEqual(atLogin.length);
    });

    test('a probe runs the code of an owner who is trusted', async () => {
      const server = serverOf();
      const ways = everyWay(server)
        .filter(({ database: { name } }) => name === 'ledger')
        .slice(0, 3)
        .map(({ way }) => way);
      await server.log.read();
      const last = await probeWays(server.url({ role, path: 'direct' }, 'ledger'), ways, {
        trustOwners: ['mallory', 'server:far'],
      });
      expect(last.kind, JSON.stringify(last)).toBe('result');
      const { calls } = await readShown(server);
      expect(ways.flatMap(({ name }) => (calls.includes(name) ? [] : [name]))).toEqual([]);
    });

    test.each(plainDatabases)('in the database $name $asksFor are asked for', async (database) => {
      const { name, asksFor } = database;
      const url = serverOf().url({ role, path: 'direct' }, name);
      const asked = await probeWays(url, [listing], { dryRun: true });
      expect(endOf(asked)).toBe(asksFor.length === 0 ? 'plan ' : `failed ${asksFor.join()}`);
      const trusted = await probeWays(url, [listing], { dryRun: true, trustOwners: asksFor });
      expect(trusted.kind, JSON.stringify(trusted)).toBe('plan');
    });

    test('the command line names the owner, and ends with 2', async () => {
      const url = serverOf().url({ role, path: 'direct' }, 'single');
      const { code, stderr } = await runNode(
        ['dist/cli.js', 'probe', url, '--dry-run', '--sql', listing.statement],
        process.cwd(),
      );
      expect(code, stderr).toBe(2);
      expect(stderr).toMatch(/Statements may run code that app owns \(the database, 1 view/);
    });
  });
}

/** What all databases have in which nothing waits. */
const listing: OwnedWay = {
  name: 'nothing',
  setup: () => [],
  statement: 'SELECT id FROM public.listed',
};

function codeOf(error: unknown): string {
  return (error instanceof pg.DatabaseError ? error.code : undefined) ?? String(error);
}

interface WayOfDatabase {
  readonly database: OwnedDatabase;
  readonly way: OwnedWay;
}

function knownTo(
  { major }: HostileServer,
  databases: readonly OwnedDatabase[],
): readonly OwnedDatabase[] {
  return databases.filter((database) => isKnownTo(major, database));
}

function everyWay(server: HostileServer): readonly WayOfDatabase[] {
  return knownTo(server, trappedDatabases).flatMap((database) =>
    waysKnownTo(server.major, database).map((way) => ({ database, way })),
  );
}

/** What the log shows since it was last read. */
interface Shown {
  /** Ways whose code was run. */
  readonly calls: readonly string[];
  /** What a probe had the server make of a statement of the victim's. */
  readonly parsed: readonly string[];
}

async function readShown(server: HostileServer): Promise<Shown> {
  const entries = await server.log.read();
  const statements = everyWay(server).map(({ way: { statement } }) => statement);
  return {
    calls: entries.flatMap(({ text }) => readNote(text) ?? []),
    parsed: entries.flatMap(({ application, text }) =>
      application.startsWith('poolguard') && statements.some((each) => text.endsWith(each))
        ? [text]
        : [],
    ),
  };
}

/** What another client leaves on every backend that the pooler lends. */
async function leaveBehind(server: HostileServer, path: Path): Promise<void> {
  const left = everyWay(server).filter(({ way }) => way.left !== undefined);
  for (const { database, way } of left)
    await Promise.all(
      Array.from({ length: poolSizeOf(path) }, async () => {
        const client = await connectCarelessly(server, database, path);
        await client.query(`${way.left ?? ''}; SELECT pg_catalog.pg_sleep(0.3)`);
        await client.end();
      }),
    );
}

interface Answer {
  readonly asked: string;
  readonly got: string;
  readonly expected: string;
}

/** As many at once as a probe mixes, and directly some by themselves. */
async function askForAll(server: HostileServer, path: Path): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const database of knownTo(server, trappedDatabases)) {
    const ways = waysKnownTo(server.major, database);
    const alone =
      path === 'direct' ? ways.filter((_, at) => (at + server.major) % shared === 0) : [];
    for (const group of [...groupsOf(ways), ...alone.map((way) => [way])])
      answers.push({
        asked: `${database.name}: ${group.map(({ name }) => name).join(', ')}`,
        got: endOf(await probeWays(server.url({ role, path }, database.name), group)),
        expected: `failed ${database.asksFor.join()}`,
      });
  }
  return answers;
}

/** How a probe ended, and for whom it asks. */
function endOf(last: ProbeEvent): string {
  const owners = last.kind === 'failed' ? (last.refusedOwners ?? []) : [];
  return `${last.kind} ${owners
    .map(({ name }) => name)
    .sort()
    .join()}`;
}

/** As any application does. */
async function connectCarelessly(
  server: HostileServer,
  { name }: OwnedDatabase,
  path: Path = 'direct',
): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: server.url({ role, path }, name),
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
