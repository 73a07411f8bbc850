import { expect, test } from 'vitest';
import { timeLine } from '../../../../src/probe/size/time-line.ts';

const rows = { kind: 'rows', rows: [] } as const;

test('the same connection with and without guards gives what they add', async () => {
  let now = 0;
  const sizes: number[] = [];
  const take = (ms: number) => {
    now += ms;
    return Promise.resolve(rows);
  };
  const line = await timeLine({
    session: { run: () => take(0.7), echo: () => take(0.2) },
    lanes: { setSize: (size) => Promise.resolve(void sizes.push(size)) },
    busy: 2,
    backends: 3,
    clock: { now: () => now },
    signal: new AbortController().signal,
  });
  expect(line).toEqual({
    plainMs: expect.closeTo(0.2) as number,
    guardMs: expect.closeTo(0.5) as number,
    backends: 3,
  });
  expect(sizes).toEqual([2]);
});

test('a probe that ends measures nothing', async () => {
  const ended = new AbortController();
  ended.abort();
  const never = () => Promise.reject(new Error('asked'));
  expect(
    await timeLine({
      session: { run: never, echo: never },
      lanes: { setSize: () => Promise.resolve() },
      busy: 0,
      backends: null,
      clock: { now: () => 0 },
      signal: ended.signal,
    }),
  ).toBeNull();
});
