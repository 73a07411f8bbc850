import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFreePort } from '../../scripts/embedded-server.ts';
import { createRandom } from '../../src/probe/random.ts';
import { listen } from '../../src/running/listener.ts';
import { watchActivity } from '../support/activity-watch.ts';
import { openArena, type Arena } from './support/arena.ts';
import { startChaosServer, type ChaosServer } from './support/chaos-server.ts';
import { rounds, seed } from './support/choose.ts';
import { note } from './support/ledger.ts';
import { lineFaults } from './support/line-faults.ts';
import { startProgram } from './support/subject.ts';
import type { Fault } from './support/trial.ts';

const root = join(import.meta.dirname, '../..');
const patience = { timeout: 90_000 };
let server: ChaosServer;

beforeAll(async () => {
  server = await startChaosServer(100);
});

afterAll(() => server[Symbol.asyncDispose]());

function repeat(
  faults: readonly Fault[],
): readonly (readonly [name: string, fault: Fault, round: number])[] {
  return faults.flatMap((fault) =>
    Array.from(
      { length: Math.max(1, rounds) },
      (_, round) => [`${fault.name}, round ${round}`, fault, round] as const,
    ),
  );
}

async function expectNoSession(arena: Arena): Promise<number> {
  const began = performance.now();
  let left = await arena.sessions();
  while (left.length > 0 && performance.now() - began < 5000) {
    await wait(50);
    left = await arena.sessions();
  }
  expect(left).toEqual([]);
  return performance.now() - began;
}

describe.concurrent(
  "the sidebar's poller sees the server again after trouble on the line, and closes what it opened",
  () => {
    test.each(repeat(lineFaults))('%s', async (name, fault, round) => {
      const random = createRandom(seed + 7919 * round + name.length);
      await using arena = await openArena(server, 'server');
      const watch = watchActivity(arena.url);
      await wait(1000 * random());
      await strike(fault, arena, random);
      await watch.next(({ kind }) => kind === 'live');
      await watch.poller.stop();
      note({
        fault: fault.name,
        subject: "the sidebar's poller",
        complaints: [],
        cleanMs: await expectNoSession(arena),
      });
    });
  },
);

/** The fault has a line only; no process of a command line stands behind it. */
function strike(fault: Fault, arena: Arena, random: () => number): Promise<void> {
  return fault.strike({
    arena,
    random,
    get running(): never {
      throw new Error(`${fault.name} is for processes.`);
    },
  });
}

/** What becomes of those whom an application under watch depends on. */
const composeEnvironment: Readonly<
  Record<string, (arena: Arena, listener: AsyncDisposable, random: () => number) => Promise<void>>
> = {
  'the listener goes': (_, listener) => Promise.resolve(listener[Symbol.asyncDispose]()),
  'resets of the database': ({ relay }, _, random) =>
    during(
      random,
      () => relay.inflict({ kind: 'reset' }),
      () => relay.inflict({ kind: 'none' }),
    ),
  'a silent database': ({ relay }, _, random) =>
    during(
      random,
      () => relay.inflict({ kind: 'silent' }),
      () => relay.inflict({ kind: 'none' }),
    ),
  'both go': async ({ relay }, listener, random) => {
    await Promise.all([
      during(
        random,
        () => relay.inflict({ kind: 'reset' }),
        () => relay.inflict({ kind: 'none' }),
      ),
      listener[Symbol.asyncDispose](),
    ]);
  },
};

async function during(random: () => number, begin: () => void, end: () => void): Promise<void> {
  begin();
  await wait(300 + 1500 * random());
  end();
}

describe.concurrent('an application under watch goes on as if nobody watched', () => {
  // Of tests that run at once only their own `expect` knows whose it is.
  test.for(Object.keys(composeEnvironment))('%s', async (name, { expect: expectHere }) => {
    const random = createRandom(seed + name.length);
    await using arena = await openArena(server, 'server');
    const listener = await listen({
      registerPath: join(root, 'dist/pool-watch.cjs'),
      onReport: () => undefined,
      onGone: () => undefined,
    });
    const port = await findFreePort();
    const app = startProgram(
      {
        args: [join(import.meta.dirname, 'support/application.mjs')],
        environment: { DATABASE_URL: arena.url, PORT: String(port), ...listener.variables({}) },
      },
      arena,
    );
    const answers = () =>
      fetch(`http://127.0.0.1:${port}/`).then(
        ({ status }) => status,
        () => 0,
      );
    await expectHere.poll(answers, patience).toBe(200);
    await composeEnvironment[name]?.(arena, listener, random);
    await expectHere.poll(answers, patience).toBe(200);
    app.child.kill('SIGTERM');
    const exit = await app.ended;
    await listener[Symbol.asyncDispose]();
    const complaints = [
      ...(exit.code === 0 ? [] : [`exit code ${exit.code}, signal ${exit.signal}`]),
      ...(app.stderr() === '' ? [] : [`words of its own: ${app.stderr().slice(0, 400)}`]),
      ...(await arena.leftFiles()),
    ];
    note({
      fault: name,
      subject: 'an application under watch',
      complaints,
      cleanMs: await expectNoSession(arena),
    });
    expect(complaints).toEqual([]);
  });
});
