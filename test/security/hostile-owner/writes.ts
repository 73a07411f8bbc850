import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Count } from './counts.ts';
import type { HostileServer } from './hostile-server.ts';
import { paths, roleWords, type Place } from './places.ts';
import { watchForLeftovers } from './writes/left-behind.ts';
import { plantWays } from './writes/plant-ways.ts';
import { askOnly, runWays } from './writes/run-ways.ts';
import type { Way } from './writes/way.ts';
import { hiddenWays, undoneWays } from './writes/ways-hidden.ts';
import { sessionWays } from './writes/ways-session.ts';
import { writingWays } from './writes/ways-write.ts';

const everyWay: readonly Way[] = [...writingWays, ...sessionWays, ...hiddenWays, ...undoneWays];

/** So many versions share the ways that the server itself stops at their first run; any two paths have others. */
const shared = 4;

/** No superuser: nothing that a transaction does contains one, so a probe refuses to run as one. */
const role = 'analyst';

/** Whatever a probed statement calls, nothing of it stays. */
export function describeWrites(serverOf: () => HostileServer, count: Count): void {
  describe(`ways to write, as ${roleWords[role]}`, () => {
    let admin: pg.Client | undefined;
    beforeAll(async () => {
      admin = await plantWays(serverOf(), knownTo(serverOf()));
    });
    afterAll(() => admin?.end());

    test('there are more than sixty', () => {
      expect(everyWay.length).toBeGreaterThan(60);
      expect(new Set(everyWay.map(({ name }) => name)).size).toBe(everyWay.length);
    });

    test.each(paths)('nothing stays of what is allowed: %s', async (path) => {
      const server = serverOf();
      const place: Place = { role, path };
      if (admin === undefined) throw new Error('The ways are not planted.');
      const watch = await watchForLeftovers(server, admin, place);
      try {
        const ways = await tryWays(server, place);
        const left = await watch.compare();
        count(place, { ways, left: left.length });
        expect(left).toEqual([]);
      } finally {
        await watch.close();
      }
    });

    test.each(paths)(
      'what nothing undoes is refused where one look finds it, its owner trusted: %s',
      async (path) => {
        const url = serverOf().url({ role, path }, 'store');
        const ways = knownTo(serverOf()).filter(({ onlyRefused }) => onlyRefused !== undefined);
        const begun: string[] = [];
        for (const way of ways) {
          const last = await askOnly(url, way);
          if (last.kind !== 'failed') begun.push(way.name);
        }
        expect(begun).toEqual(ways.flatMap(({ name, hides }) => (hides === true ? [name] : [])));
      },
    );
  });
}

function knownTo({ major }: HostileServer): readonly Way[] {
  return everyWay.filter(({ since = 0 }) => major >= since);
}

/** Runs them with every function allowed, but for what nobody can undo. Gives back how many. */
async function tryWays(server: HostileServer, place: Place): Promise<number> {
  const isDirect = place.path === 'direct';
  const url = server.url(place, 'store');
  const ways = knownTo(server).filter(
    ({ onlyRefused, writes }) => onlyRefused === undefined && (isDirect || writes !== true),
  );
  const turn = paths.indexOf(place.path) + server.major;
  const stopped = ways
    .filter(({ fails }) => fails === true)
    .filter((_way, at) => (at + turn) % shared === 0);
  const mixed = ways.filter(({ fails, renames }) => fails !== true && renames !== true);
  const renaming = ways.filter(({ renames }) => renames === true);
  const running = mixed.filter(({ writes }) => writes !== true);
  const undone = mixed.filter(({ writes }) => writes === true);
  for (const way of [...stopped, ...renaming]) await runWays(url, [way]);
  const { probes } = await runWays(url, running);
  expect(probes).toBeGreaterThan(3);
  if (isDirect) await runWays(url, undone);
  return stopped.length + renaming.length + running.length + undone.length;
}
