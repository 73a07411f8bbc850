import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { Count } from './counts.ts';
import type { HostileServer } from './hostile-server.ts';
import { openWorkplace } from './jobs/job.ts';
import { looks } from './jobs/looks.ts';
import { namedStatements, probes } from './jobs/probes.ts';
import { leftToPath } from './own-statements.ts';
import { everyPlace, roleWords, type Place } from './places.ts';
import { readSeen } from './seen.ts';
import { bait } from './traps/bait.ts';

/** So many versions share the probes of each place; any two places have others. */
const shared = 4;

/** Nothing of what an owner can plant is called, whatever Poolguard does, as whom and by whichever way. */
export function describeTraps(serverOf: () => HostileServer, count: Count): void {
  test('almost every name of pg_catalog has a twin', () => {
    const { functions = 0, operators = 0, relations = 0, types = 0 } = serverOf().planted;
    expect(
      [functions > 2000, operators > 700, relations > 110, types > 55],
      JSON.stringify(serverOf().planted),
    ).toEqual([true, true, true, true]);
  });

  test.each(bait)('a careless $name springs a trap', async ({ statement }) => {
    const server = serverOf();
    const careless = await server.connect('analyst', 'careless');
    await server.log.read();
    await careless.query('SET row_security = on; SET search_path = evil, pg_catalog, public');
    await careless.query(statement).catch(() => undefined);
    await careless.end();
    expect((await readSeen(server)).called).not.toEqual([]);
  });

  test('a careless superuser makes mallory one, and runs her program', async () => {
    const server = serverOf();
    const careless = await server.connect('boss', 'careless');
    await careless.query('SET search_path = evil, pg_catalog, public');
    // A read-only session keeps nobody's program from running.
    await careless.query(
      'SET default_transaction_read_only = on; SELECT count(*) FROM public.orders',
    );
    expect(existsSync(server.lootFile)).toBe(true);
    await careless.query(`SET default_transaction_read_only = off; SELECT upper('x')`);
    await careless.end();
    expect(await isSuperuser(server, 'mallory')).toBe(true);
    await server.admin.query('ALTER ROLE mallory NOSUPERUSER');
    await rm(server.lootFile);
  });

  describe.each(everyPlace.map((place, turn) => ({ ...place, turn, what: roleWords[place.role] })))(
    'as $what, $path',
    ({ role, path, turn }) => {
      test('nothing that was planted is called', async () => {
        const server = serverOf();
        await server.log.read();
        const { jobs, failures } = await doAll(server, { role, path }, turn);
        const seen = await readSeen(server);
        count(
          { role, path },
          { jobs, statements: seen.statements.length, called: seen.called.length },
        );
        expect(seen.called).toEqual([]);
        expect(await isSuperuser(server, 'mallory')).toBe(false);
        expect(existsSync(server.lootFile)).toBe(false);
        // Nobody but a superuser can log in without them.
        if (role === 'boss' && path === 'direct')
          expect(seen.logins.filter((login) => login.startsWith('poolguard'))).toEqual([]);
        expect(await leftToPath(seen.statements, namedStatements)).toEqual([]);
        expect(failures).toEqual([]);
      });
    },
  );
}

interface Done {
  readonly jobs: number;
  readonly failures: readonly string[];
}

/** All looks at once, then its share of the probes, of which a database takes one at a time. */
async function doAll(server: HostileServer, place: Place, turn: number): Promise<Done> {
  const failures: string[] = [];
  const possible = ({ paths }: { readonly paths?: readonly string[] }) =>
    paths === undefined || paths.includes(place.path);
  const duties = probes.filter(
    (job, at) => possible(job) && (at + turn + server.major) % shared === 0,
  );
  await using work = await openWorkplace(server, place);
  const doOne = async ({ name, run }: (typeof probes)[number]) =>
    run(work).catch((error: unknown) => void failures.push(`${name}: ${String(error)}`));
  const looking = looks.filter(possible);
  await Promise.all(looking.map(doOne));
  for (const duty of duties) await doOne(duty);
  return { jobs: looking.length + duties.length, failures };
}

async function isSuperuser({ admin }: HostileServer, role: string): Promise<boolean> {
  const { rows } = await admin.query<{ rolsuper: boolean }>(
    'SELECT rolsuper FROM pg_catalog.pg_roles WHERE rolname = $1',
    [role],
  );
  return rows[0]?.rolsuper === true;
}
