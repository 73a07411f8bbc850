import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Report } from '../../../monitor/report.ts';
import { splitLines } from '../../../monitor/reporters/lines.ts';
import { readCommand } from '../../../monitor/reporters/socket.ts';
import { poolHealth } from '../../../src/running/health.ts';
import { heldByPlace } from '../../../src/running/held-by-place.ts';
import { readReport } from '../../../src/running/read-report.ts';
import { kept, nextRunningApps, type RunningEvent } from '../../../src/running/running-apps.ts';
import type { RunningApps } from '../../../src/running/running-app.ts';
import {
  everyReport,
  heldSince,
  hello,
  mistakeAt,
  place,
  watchedPool,
} from '../../support/monitor-reports.ts';
import { spoilt, strangeValue, textsIn } from '../../support/spoilt.ts';

test('every report is read as it was sent', () => {
  expect(everyReport.map((report) => readReport(JSON.stringify(report)))).toEqual(everyReport);
});

test('what no report is, is none', () => {
  for (const line of [
    '',
    '{',
    'null',
    '7',
    '[]',
    '{"kind":"toString"}',
    '{"kind":"__proto__"}',
    '{"kind":"look"}',
    '{"kind":"look","look":[]}',
    '['.repeat(100_000),
  ])
    expect(readReport(line)).toBeNull();
});

test('a report is cut to what it may hold', () => {
  const place = { file: `/a/${'x'.repeat(9_000)}`, line: 1, column: 1, function: null };
  const report = readReport(
    JSON.stringify({
      kind: 'held',
      held: {
        pool: 1,
        checkout: 1,
        since: 1,
        backendPid: null,
        clientPort: null,
        acquiredAt: Array.from({ length: 500 }, () => place),
      },
      more: 'x',
    }),
  );
  expect(report).toMatchObject({ kind: 'held', held: { acquiredAt: { length: 32 } } });
  expect(Object.keys(report ?? {})).toEqual(['kind', 'held']);
  expect(report?.kind === 'held' && report.held.acquiredAt[0]?.file.length).toBe(4_096);
});

test.each([
  [
    'half a character, whose escape is longer than it',
    `\ud800half<img src=x onerror="document.title=1">`,
  ],
  ['a cut through an emoji', `${'v'.repeat(39)}👩‍🚀`],
  ['a cut inside an emoji that is joined', `${'v'.repeat(38)}👩‍🚀`],
])('%s: what was cut is read again as itself', (_, node) => {
  const report = readReport(JSON.stringify({ ...hello, node }));
  expect(report).toMatchObject({ kind: 'hello' });
  expect(report?.kind === 'hello' && report.node.length).toBe(40);
  expect(readReport(JSON.stringify(report))).toEqual(report);
});

test('two blanks of a path are two', () => {
  expect(
    readReport(
      JSON.stringify({ ...everyReport[0], script: '/my  app/a.js', folder: '/a\u0007\u202Eb\n' }),
    ),
  ).toMatchObject({ script: '/my  app/a.js', folder: '/a\\u0007\\u202eb\\n' });
});

test('whatever an application sends, it is a report with plain texts and finite numbers, or none', () => {
  fc.assert(
    fc.property(fc.oneof(spoilt(everyReport), strangeValue), (value) => {
      const report = readReport(JSON.stringify(value) ?? '');
      if (report === null) return;
      expect(readReport(JSON.stringify(report))).toEqual(report);
      expect(
        textsIn(report).filter((text) => /[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/u.test(text)),
      ).toEqual([]);
    }),
    { numRuns: 600 },
  );
});

test('whatever applications report, what is known of them stays bounded and can be judged', () => {
  const events = fc.array(
    fc.tuple(
      fc.constantFrom('a', 'b', 'c', 'd'),
      fc.oneof(
        { weight: 5, arbitrary: fc.constantFrom<RunningEvent>(...everyReport) },
        {
          weight: 3,
          arbitrary: spoilt(everyReport).map((value) => readReport(JSON.stringify(value) ?? '')),
        },
        { weight: 1, arbitrary: fc.constant<RunningEvent>({ kind: 'gone' }) },
      ),
    ),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(events, (all) => {
      let apps: RunningApps = [];
      for (const [key, event] of all)
        if (event !== null) apps = nextRunningApps(apps, key, event, 2_000);
      expect(apps.filter(({ end }) => end !== null).length).toBeLessThanOrEqual(4);
      expect(new Set(apps.map(({ key }) => key)).size).toBe(apps.length);
      for (const pool of apps.flatMap(({ pools }) => pools)) {
        expect(poolHealth(pool, 2_000).sentence).toMatch(/^[A-Z0-9].*\.$/);
        expect(heldByPlace(pool, 2_000).reduce((sum, { count }) => sum + count, 0)).toBe(
          pool.held.length,
        );
      }
    }),
    { numRuns: 200 },
  );
});

test('a flood of applications, pools, checkouts and mistakes is kept in part', () => {
  const flood = Array.from({ length: 600 }, (_, index): readonly Report[] => [
    { kind: 'pool', pool: watchedPool({ id: index }) },
    { kind: 'held', held: heldSince(1, { checkout: index }) },
    { kind: 'mistake', mistake: mistakeAt(1, { misusedAt: [place('/a.ts', index + 1)] }) },
  ]).flat();
  let apps: RunningApps = [];
  for (let index = 0; index < 100; index += 1)
    apps = nextRunningApps(apps, `app-${index}`, hello, 0);
  for (const report of flood) apps = nextRunningApps(apps, 'app-0', report, 0);
  const [app] = apps;
  expect([
    apps.length,
    app?.pools.length,
    app?.pools[1]?.held.length,
    app?.pools[1]?.mistakes.length,
  ]).toEqual([kept.apps, kept.pools, kept.held, kept.mistakes]);
});

test('lines are found however they arrive, and long ones are passed over', () => {
  const line = fc.oneof(
    fc.string({ maxLength: 20 }).map((text) => text.replaceAll('\n', '')),
    fc.constant('x'.repeat(31)),
  );
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 8 }),
      fc.array(fc.nat(40), { maxLength: 10 }),
      (lines, cuts) => {
        const heard: string[] = [];
        let tooLong = 0;
        const take = splitLines(
          30,
          (each) => heard.push(each),
          () => (tooLong += 1),
        );
        let text = lines.map((each) => `${each}\n`).join('');
        for (const cut of [...cuts, Infinity]) {
          take(text.slice(0, cut));
          text = text.slice(cut);
        }
        expect(heard).toEqual(lines.filter(({ length }) => length > 0 && length <= 30));
        expect(tooLong).toBe(lines.filter(({ length }) => length > 30).length);
      },
    ),
    { numRuns: 200 },
  );
});

test('whatever a listener sends, it is a command in its bounds, or none', () => {
  const spoiltCommand = fc.record({
    kind: fc.constantFrom('welcome', 'set-max', 'eval'),
    pool: fc.oneof(fc.nat(), strangeValue),
    max: fc.oneof(fc.nat(), strangeValue),
  });
  fc.assert(
    fc.property(fc.oneof(spoiltCommand, strangeValue), (value) => {
      const command = readCommand(JSON.stringify(value) ?? '');
      if (command?.kind === 'set-max')
        expect([
          Number.isSafeInteger(command.pool),
          command.max >= 1,
          command.max <= 262_143,
        ]).toEqual([true, true, true]);
    }),
    { numRuns: 300 },
  );
});
