import { expect, test } from 'vitest';
import type { OpenedClient } from '../../../../src/database/open-client.ts';
import { openNewConnections } from '../../../../src/probe/compare/connection-sources.ts';

/** Counts what is open; of the driver's client nothing is used. */
function createDialler() {
  const seen = { open: 0, most: 0, failing: false };
  const dial = () => {
    if (seen.failing) return Promise.reject(new Error('refused'));
    seen.open += 1;
    seen.most = Math.max(seen.most, seen.open);
    const close = () => {
      seen.open -= 1;
    };
    return Promise.resolve({
      close: () => Promise.resolve(close()),
      drop: close,
    } as unknown as OpenedClient);
  };
  return { seen, dial };
}

test('never more than allowed are open; who comes later stands in line, and a failed one gives its place on', async () => {
  const { seen, dial } = createDialler();
  const source = openNewConnections(dial, () => Promise.resolve(), 2);
  const request = async () => {
    const loan = await source.acquire();
    await loan.run();
    await loan.giveBack();
  };
  const all = Promise.all(Array.from({ length: 7 }, request));
  expect(source.look()).toEqual({ total: 2, idle: 0, waiting: 5 });
  await all;
  expect({ ...seen, ...source.look() }).toEqual({
    open: 0,
    most: 2,
    failing: false,
    total: 0,
    idle: 0,
    waiting: 0,
  });
  seen.failing = true;
  const failed = await Promise.allSettled(Array.from({ length: 4 }, request));
  expect(failed.map(({ status }) => status)).toEqual([
    'rejected',
    'rejected',
    'rejected',
    'rejected',
  ]);
  expect(source.look()).toEqual({ total: 0, idle: 0, waiting: 0 });
});
