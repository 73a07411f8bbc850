import { describe, expect, test } from 'vitest';
import { openLoop } from '../../../../src/probe/load/open-loop.ts';
import { fluidSpike, modelSpike } from '../../../../src/probe/spike/model-spike.ts';
import type { SpikeInput } from '../../../../src/probe/spike/spike-result.ts';
import { constant, slowedBetween } from '../../../support/queue-server.ts';
import { createVirtualLender } from '../../../support/virtual-connections.ts';
import { createVirtualTime } from '../../../support/virtual-time.ts';

const fieldReport: SpikeInput = {
  rate: 800,
  holdMs: 15,
  spikeHoldMs: 200,
  spikeMs: 3000,
  waitLimitMs: 5000,
};

describe('the field report: 800/s of 15 ms, stalls of 200 ms', () => {
  test.each([
    [2000, 600, 1200, 750, 102],
    [3000, 900, 1800, 1125, 153],
  ])(
    'for %d ms leave a pool of 100 with %d in line, waits up to %d ms, and a line for %d ms',
    (spikeMs, backlog, longestWaitMs, reachedWaitMs, drainMs) => {
      const { rows } = modelSpike({ ...fieldReport, spikeMs }, [100]);
      expect(rows).toEqual([
        {
          max: 100,
          utilisation: 0.12,
          backlog,
          longestWaitMs,
          reachedWaitMs,
          drainMs: expect.closeTo(drainMs, 0) as number,
          refused: 0,
        },
      ]);
    },
  );

  test('a pool of 200 has no line: 160 are needed', () => {
    const { needed, neededInSpike, verdict, rows } = modelSpike(fieldReport, [200, 100]);
    expect({ needed, neededInSpike, kind: verdict.kind }).toEqual({
      needed: 12,
      neededInSpike: 160,
      kind: 'rides-it-out',
    });
    expect(rows.map(({ max, backlog }) => [max, backlog])).toEqual([
      [100, 900],
      [200, 0],
    ]);
    expect(verdict.because).toBe(
      'During the spike 800 requests a second of 200 ms need 160 clients. A pool of 200 absorbs it without a queue. With 100, 900 requests are queued at its end, waits reach up to 1.8 s, and 153 ms later the queue is empty.',
    );
  });
});

test('a pool that is too small for a good day never recovers', () => {
  const { rows, verdict } = modelSpike(fieldReport, [10, 12]);
  expect(rows.map(({ drainMs }) => drainMs)).toEqual([null, null]);
  expect(verdict.kind).toBe('never-recovers');
});

test.each([
  [200, 2, 'During the spike 200 requests a second of 2 ms need 1 client.'],
  [1, 1500, 'During the spike 1 request a second of 1.5 s needs 2 clients.'],
])('one is no plural: %d requests a second of %d ms', (rate, spikeHoldMs, sentence) => {
  expect(
    modelSpike({ ...fieldReport, rate, holdMs: 1, spikeHoldMs }, [10]).verdict.because,
  ).toContain(`${sentence} `);
});

test('a pool that only recovers says what that costs', () => {
  const { verdict } = modelSpike({ ...fieldReport, waitLimitMs: 500 }, [50, 100]);
  expect(verdict.kind).toBe('recovers');
  expect(verdict.because).toContain(
    'With 100, 400 requests are queued at its end, waits reach up to 500 ms, and 500 give up after 500 ms',
  );
});

/** The same pool, request by request: arrivals come evenly, a statement that begins during the spike takes as long as the spike says. */
async function simulate(
  { rate, holdMs, spikeHoldMs, spikeMs, waitLimitMs }: SpikeInput,
  clients: number,
) {
  const time = createVirtualTime();
  const beginMs = 1000;
  const source = createVirtualLender({
    time,
    clients,
    random: () => 0,
    service: slowedBetween(beginMs, beginMs + spikeMs, spikeHoldMs / holdMs, constant(holdMs)),
    ...(waitLimitMs !== null && { waitLimitMs }),
  });
  const everyMean = () => 1 - 1 / Math.E;
  const { load, samples } = await time.run(
    openLoop({
      source,
      clock: time,
      random: everyMean,
      signal: new AbortController().signal,
      durationMs: beginMs + spikeMs + 1000,
      rate,
      mostUnderWay: 1e6,
    }),
  );
  const lastInLine = samples.findLast(({ waiting }) => waiting > 0)?.atMs ?? 0;
  return { load, drainMs: Math.max(0, lastInLine - beginMs - spikeMs) };
}

describe('a simulation of every single request agrees', () => {
  test.each<readonly [string, Partial<SpikeInput>, number]>([
    ['of the field report', { spikeMs: 2000 }, 100],
    ['with a pool that is enough', { spikeMs: 1000 }, 200],
    ['with callers that give up', { waitLimitMs: 300, spikeMs: 2000 }, 100],
    [
      'of a small service',
      { rate: 50, holdMs: 20, spikeHoldMs: 400, spikeMs: 2000, waitLimitMs: null },
      5,
    ],
  ])('%s', async (_, change, clients) => {
    const input = { ...fieldReport, ...change };
    const row = fluidSpike(input, clients);
    const { load, drainMs } = await simulate(input, clients);
    const refused = load.errors['wait-timeout'] ?? 0;
    const longestMs = load.wait?.maxMs ?? 0;
    // Statements that began in the spike still run when it ends.
    const oneHold = input.spikeHoldMs;
    const inOneHold = (input.rate * oneHold) / 1000;
    expect(Math.abs(load.peakWaiting - row.backlog)).toBeLessThanOrEqual(inOneHold);
    expect(Math.abs(longestMs - row.reachedWaitMs)).toBeLessThanOrEqual(oneHold);
    expect(longestMs).toBeLessThanOrEqual(row.longestWaitMs + oneHold);
    expect(Math.abs(refused - row.refused)).toBeLessThanOrEqual(inOneHold);
    expect(Math.abs(drainMs - (row.drainMs ?? 0))).toBeLessThanOrEqual(oneHold + 60);
  });
});
