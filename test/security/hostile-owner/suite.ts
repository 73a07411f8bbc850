import { afterAll, beforeAll, describe } from 'vitest';
import { createCount } from './counts.ts';
import { startHostileServer, type HostileServer } from './hostile-server.ts';
import { describeOwners } from './owners.ts';
import { describeProcesses } from './processes.ts';
import { describeTraps } from './traps.ts';
import { describeWrites } from './writes.ts';

/** The whole suite on one version of PostgreSQL. */
export function describeHostileOwner(major: number): void {
  describe(`PostgreSQL ${major}`, () => {
    let server: HostileServer | undefined;
    const started = () => {
      if (server === undefined) throw new Error('The server is not started.');
      return server;
    };
    beforeAll(async () => {
      server = await startHostileServer(major);
    });
    afterAll(() => server?.[Symbol.asyncDispose]());
    describeTraps(started, createCount(major));
    describeProcesses(started, createCount(major));
    describeWrites(started, createCount(major));
    describeOwners(started, createCount(major));
  });
}
