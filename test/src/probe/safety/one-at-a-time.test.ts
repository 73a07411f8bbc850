import { expect, test } from 'vitest';
import type { QueryAnswer } from '../../../../src/database/session.ts';
import { awaitTurn, type Turn } from '../../../../src/probe/safety/one-at-a-time.ts';
import type { ProbeEvent } from '../../../../src/probe/result.ts';

interface Waited {
  readonly turn: Turn;
  readonly doing: readonly string[];
  readonly waitedMs: number;
}

/** A database whose lock is free after so long by the clock. */
async function waitFor(
  freeAtMs: number,
  { holder = 'poolguard-probe/abc123', isPooled = false, others = [] as readonly object[] } = {},
): Promise<Waited> {
  let now = 0;
  const events: ProbeEvent[] = [];
  const clock = { now: () => now, wait: (ms: number) => Promise.resolve(void (now += ms)) };
  const query = <Row>(statement: string | object): Promise<QueryAnswer<Row>> => {
    const isLock = typeof statement === 'string';
    const rows = isLock ? [{ isTaken: now >= freeAtMs, holder }] : others;
    return Promise.resolve({ kind: 'rows', rows: rows as readonly Row[] });
  };
  const session = { isPooled, query } as unknown as Parameters<typeof awaitTurn>[0];
  const turn = await awaitTurn(session, {
    clock,
    signal: new AbortController().signal,
    emit: (event) => events.push(event),
  });
  return {
    turn,
    doing: [
      ...new Set(events.flatMap((event) => (event.kind === 'progress' ? [event.doing] : []))),
    ],
    waitedMs: now,
  };
}

test('begins at once where nobody probes', async () => {
  expect(await waitFor(0)).toEqual({ turn: { kind: 'clear', notes: [] }, doing: [], waitedMs: 0 });
});

test('waits for the other, and says so', async () => {
  expect(await waitFor(3000)).toEqual({
    turn: { kind: 'clear', notes: [] },
    doing: ['Another probe (poolguard-probe/abc123) runs in this database; waiting for it to end'],
    waitedMs: 3000,
  });
});

test('refuses when the other takes too long; a name that is none of a probe is not repeated', async () => {
  const { turn, waitedMs } = await waitFor(Infinity, { holder: '\u001B[2Jhostile' });
  expect(turn).toMatchObject({
    kind: 'refused',
    sentence: expect.stringMatching(
      /^Another probe is still at work in this database.*then try again\.$/,
    ) as string,
  });
  expect(waitedMs).toBeLessThan(21_000);
});

test('behind a pooler it takes no lock, and tells of others all the same', async () => {
  const { turn } = await waitFor(Infinity, {
    isPooled: true,
    others: [{ name: 'poolguard-probe/xyz789', database: 'shop' }],
  });
  expect(turn).toMatchObject({
    kind: 'clear',
    notes: [
      expect.stringMatching(/^Another probe \(poolguard-probe\/xyz789\) runs in database shop/),
    ],
  });
});
