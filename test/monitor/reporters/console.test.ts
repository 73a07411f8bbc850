import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CodePlace, CounterSample, Report, WatchedPool } from '../../../monitor/report.ts';
import { duration } from '../../../monitor/reporters/console-lines.ts';
import { createConsoleReporter } from '../../../monitor/reporters/console.ts';

const pool: WatchedPool = {
  id: 1,
  name: 'shop',
  applicationName: 'shop',
  host: 'db',
  port: 5432,
  database: 'shop',
  max: 10,
  connectionTimeoutMs: null,
  driverVersion: '3.14.0',
  madeAt: null,
};
const quiet: CounterSample = {
  pool: 1,
  at: 0,
  total: 10,
  idle: 10,
  waiting: 0,
  max: 10,
  peakWaiting: 0,
  acquired: 0,
  failed: 0,
  wait: null,
  hold: null,
};
const place = (line: number): CodePlace => ({
  file: join(process.cwd(), 'src/orders.ts'),
  line,
  column: 9,
  function: 'findOrder',
});
const held = (checkout: number, line: number) => ({
  pool: 1,
  checkout,
  since: 0,
  backendPid: 4711,
  clientPort: null,
  acquiredAt: [place(line)],
});

/** What the console says to reports, each at a time in ms, without the first line. */
function consoleOf(
  told: readonly (readonly [at: number, report: Report])[],
  measured: readonly (readonly ['wait' | 'hold', number])[] = [],
): readonly string[] {
  const lines: string[] = [];
  let time = 0;
  const reporter = createConsoleReporter(
    { printMs: 5_000, heldMs: 5_000 },
    (line) => lines.push(line),
    () => time,
  )(() => undefined);
  reporter.tell({ kind: 'pool', pool });
  for (const [what, ms] of measured) reporter.measured?.(1, what, ms);
  for (const [at, report] of told) {
    time = at;
    reporter.tell(report);
  }
  return lines.slice(1);
}

test('a line every five seconds, with what happened since the line before', () => {
  const lines = consoleOf(
    [
      [
        500,
        {
          kind: 'look',
          look: { ...quiet, idle: 0, waiting: 12, peakWaiting: 114, acquired: 40, failed: 2 },
        },
      ],
      [
        5_000,
        { kind: 'look', look: { ...quiet, idle: 0, waiting: 37, peakWaiting: 40, acquired: 40 } },
      ],
      [5_500, { kind: 'look', look: { ...quiet, acquired: 1 } }],
    ],
    [
      ['wait', 812],
      ['hold', 120.4],
    ],
  );
  expect(lines).toEqual([
    '[poolguard] shop: total 10, idle 0, waiting 37 (peak 114), served after p95 812 ms, hold p95 120 ms, 2 checkouts timed out',
  ]);
});

test('nothing is said while nothing happens', () => {
  expect(
    consoleOf([
      [5_000, { kind: 'look', look: quiet }],
      [10_000, { kind: 'look', look: quiet }],
      [60_000, { kind: 'exit', out: [] }],
    ]),
  ).toEqual([]);
});

test('a held checkout is told with its line, and how many are out from there', () => {
  const lines = consoleOf([
    [0, { kind: 'held', held: held(1, 11) }],
    [0, { kind: 'held', held: held(2, 30) }],
    [0, { kind: 'held', held: held(3, 11) }],
    [0, { kind: 'returned', pool: 1, checkout: 3, forMs: 7_340 }],
  ]);
  expect(lines).toEqual([
    '[poolguard] shop: checkout 1 held for more than 5 s, backend 4711, acquired at src/orders.ts:11:9 (findOrder)',
    '[poolguard] shop: checkout 2 held for more than 5 s, backend 4711, acquired at src/orders.ts:30:9 (findOrder)',
    '[poolguard] shop: checkout 3 held for more than 5 s, backend 4711, acquired at src/orders.ts:11:9 (findOrder) (2 from this line now)',
    '[poolguard] shop: checkout 3 was released after 7340 ms, acquired at src/orders.ts:11:9 (findOrder)',
  ]);
});

test('a line that leaks with each request is told for some of its checkouts, and only those come back with a line', () => {
  const leaks = Array.from({ length: 12 }, (_, index): [number, Report] => [
    0,
    { kind: 'held', held: held(index + 1, 11) },
  ]);
  const lines = consoleOf([
    ...leaks,
    [0, { kind: 'returned', pool: 1, checkout: 3, forMs: 7_340 }],
    [0, { kind: 'returned', pool: 1, checkout: 10, forMs: 7_340 }],
  ]);
  expect(
    lines.map((line) =>
      line.match(/checkout \d+ (?:held|was released)|\d+ from this line/gu)?.join(', '),
    ),
  ).toEqual([
    'checkout 1 held',
    'checkout 2 held, 2 from this line',
    'checkout 5 held, 5 from this line',
    'checkout 10 held, 10 from this line',
    'checkout 10 was released',
  ]);
});

test('where no stacks are kept each checkout is told', () => {
  const leaks = Array.from({ length: 4 }, (_, index): [number, Report] => [
    0,
    { kind: 'held', held: { ...held(index + 1, 11), acquiredAt: [] } },
  ]);
  expect(consoleOf(leaks)).toHaveLength(4);
});

test('a mistake is told once with its stacks, and counted at the end beside what never came back', () => {
  const mistake: Report = {
    kind: 'mistake',
    mistake: {
      pool: 1,
      mistake: 'double-release',
      at: 0,
      acquiredAt: [place(5)],
      releasedAt: [place(8)],
      misusedAt: [place(9)],
    },
  };
  expect(
    consoleOf([
      [0, mistake],
      [1, mistake],
      [2, { kind: 'exit', out: [held(1, 11), held(2, 11)] }],
    ]),
  ).toEqual([
    '[poolguard] shop: error: a client was released twice',
    '[poolguard] shop:   released again at src/orders.ts:9:9 (findOrder)',
    '[poolguard] shop:   first released at src/orders.ts:8:9 (findOrder)',
    '[poolguard] shop:   acquired at src/orders.ts:5:9 (findOrder)',
    '[poolguard] shop: 2 checkouts never released',
    '[poolguard] shop:   2 acquired at src/orders.ts:11:9 (findOrder)',
    '[poolguard] 2 times in total: shop: error: a client was released twice',
  ]);
});

test('alerts say what is short, and when it is over', () => {
  const alert = (kind: 'waiting' | 'idle', isOver: boolean, value: number): Report => ({
    kind: 'alert',
    pool: 1,
    alert: kind,
    isOver,
    value,
    threshold: kind === 'waiting' ? 20 : 0.1,
  });
  expect(
    consoleOf([
      [0, alert('waiting', true, 37)],
      [1, alert('idle', true, 0)],
      [2, alert('idle', false, 0.2)],
      [3, alert('waiting', false, 10)],
      [4, alert('idle', true, 0)],
      [5, alert('idle', false, 0)],
    ]),
  ).toEqual([
    '[poolguard] shop: ALERT: 37 callers are waiting for a client, more than 20',
    '[poolguard] shop: ALERT: all clients are open and fewer than 10 % of them are idle',
    '[poolguard] shop: 10 % of the clients are idle again',
    '[poolguard] shop: no longer more than 20 waiting',
    '[poolguard] shop: ALERT: all clients are open and fewer than 10 % of them are idle',
    '[poolguard] shop: the pool may open clients again',
  ]);
});

test('what pool.end() waits for is told by the lines that acquired it', () => {
  expect(
    consoleOf([
      [0, { kind: 'ending', pool: 1, out: [held(1, 11), held(2, 30), held(3, 11)] }],
      [1, { kind: 'ending', pool: 1, out: [held(1, 11)] }],
    ]),
  ).toEqual([
    '[poolguard] shop: pool.end() waits for 3 checkouts',
    '[poolguard] shop:   2 acquired at src/orders.ts:11:9 (findOrder)',
    '[poolguard] shop:   acquired at src/orders.ts:30:9 (findOrder)',
    '[poolguard] shop: pool.end() waits for 1 checkout',
    '[poolguard] shop:   acquired at src/orders.ts:11:9 (findOrder)',
  ]);
});

test.each([
  [0.04, '0.0 ms'],
  [9.94, '9.9 ms'],
  [812.4, '812 ms'],
  [9_949, '9949 ms'],
  [42_000, '42.0 s'],
  [100_000, '100 s'],
  [1_800_000, '30 min'],
])('%d ms reads %s', (ms, text) => {
  expect(duration(ms)).toBe(text);
});
