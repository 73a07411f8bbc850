import { expect, test } from 'vitest';
import { createRandom } from '../../src/probe/random.ts';
import {
  constant,
  createQueueServer,
  exponential,
  slowedBetween,
  type QueueServerOptions,
} from './queue-server.ts';
import { createVirtualTime } from './virtual-time.ts';

/** Statements per second of so many connections that each ask again when they are answered. */
async function drive(
  clients: number,
  options: Partial<QueueServerOptions>,
  seconds = 20,
): Promise<number> {
  const time = createVirtualTime();
  const server = createQueueServer({
    time,
    random: createRandom(5),
    places: 1,
    service: constant(10),
    ...options,
  });
  const ask = async () => {
    const session = server.connect();
    while (time.now() < seconds * 1000) await session.run({ text: 'SELECT 1' });
  };
  await time.run(Promise.all(Array.from({ length: clients }, ask)));
  return (server.served / time.now()) * 1000;
}

test.each<readonly [string, number, Partial<QueueServerOptions>, number]>([
  ['one place', 1, {}, 100],
  ['four clients before one place', 4, {}, 100],
  ['four clients before four places', 4, { places: 4 }, 400],
  ['four clients before two places, random times', 4, { places: 2, service: exponential(10) }, 200],
  ['places for everybody', 30, { places: Infinity }, 3000],
  ['one client over a network', 1, { roundTripMs: 10 }, 50],
  [
    'eight clients and four locks: N / (N + k − 1) of four',
    8,
    { stations: 4, service: exponential(10) },
    (8 / 11) * 400,
  ],
  [
    'half of the time at half the speed',
    1,
    { service: slowedBetween(0, 10_000, 2, constant(10)) },
    75,
  ],
])('%s', async (_, clients, options, throughput) => {
  const measured = await drive(clients, options);
  expect(measured).toBeGreaterThan(0.94 * throughput);
  expect(measured).toBeLessThan(1.06 * throughput);
});

test('who waits and who runs can be seen', async () => {
  const time = createVirtualTime();
  const server = createQueueServer({
    time,
    random: createRandom(1),
    places: 2,
    service: constant(10),
    waitsFor: { type: 'Lock', event: 'advisory' },
  });
  const answers = Promise.all(
    Array.from({ length: 5 }, () => server.connect().run({ text: 'SELECT 1' })),
  );
  await time.run(time.wait(5, new AbortController().signal));
  expect(server.look().map(({ pids, ...state }) => ({ ...state, count: pids.length }))).toEqual([
    { type: null, event: null, count: 2 },
    { type: 'Lock', event: 'advisory', count: 3 },
  ]);
  await time.run(answers);
  expect([server.look(), server.served, time.now()]).toEqual([[], 5, 30]);
});

test('work that waits for nothing that will come is told', async () => {
  await expect(createVirtualTime().run(new Promise(() => undefined))).rejects.toThrow(
    'Nothing is due',
  );
});
