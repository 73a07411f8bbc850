import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openArena } from './support/arena.ts';
import { startChaosServer, type ChaosServer } from './support/chaos-server.ts';
import { cross } from './support/choose.ts';
import { note } from './support/ledger.ts';
import { childFaults, processFaults } from './support/process-faults.ts';
import { subjects } from './support/subjects.ts';
import { tryOut } from './support/trial.ts';

const { probe, probePooled, probeRamp, probeCompare, probeConnect, sweep } = subjects;
let server: ChaosServer;

beforeAll(async () => {
  server = await startChaosServer(200);
});

afterAll(() => server[Symbol.asyncDispose]());

describe.concurrent('a process that is ended leaves nothing behind', () => {
  test.each(cross(processFaults, Object.values(subjects), 2))(
    '$name',
    async ({ fault, subject, random }) => {
      expect(await tryOut(fault, subject, server, random)).toEqual([]);
    },
  );

  test('a probe whose progress nobody reads any more still writes its report', async () => {
    await using arena = await openArena(server, 'server');
    const running = await probeConnect.start(arena);
    running.child.stderr?.destroy();
    const exit = await running.ended;
    const complaints =
      exit.code === 0
        ? running.complaints(exit, { mutes: true })
        : [`exit code ${exit.code}, signal ${exit.signal}`];
    note({ fault: 'standard error is closed', subject: probeConnect.name, complaints, cleanMs: 0 });
    expect(complaints).toEqual([]);
  });

  test.each(
    cross(childFaults, [probe, sweep, probePooled, probeRamp, probeCompare, probeConnect], 3),
  )('$name', async ({ fault, subject, random }) => {
    expect(await tryOut(fault, subject, server, random)).toEqual([]);
  });
});
