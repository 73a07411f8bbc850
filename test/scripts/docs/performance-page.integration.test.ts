import { expect, test } from 'vitest';
import { benchmarks } from '../../../scripts/bench/benchmarks.ts';
import type { Row } from '../../../scripts/bench/figures.ts';
import { toProbeRows } from '../../../scripts/bench/probe/probe-rows.ts';
import type { Run } from '../../../scripts/bench/probe/score.ts';
import {
  describeRun,
  printResults,
  type PartResult,
  type Results,
} from '../../../scripts/bench/results.ts';
import {
  fillCosts,
  performancePage,
  costMarks,
  costList,
} from '../../../scripts/docs/performance-page.ts';
import { partsOnPage } from '../../../scripts/docs/performance-parts.ts';

const row: Row = {
  group: 'share of parsing',
  name: 'all together',
  unit: '%',
  value: { median: 106.44, low: 99, high: 120 },
  goal: 15,
  note: 'CPU | wall',
};
const part: PartResult = {
  measuredAt: '2026-01-31',
  machine: '2 cores, 4 GB of memory, Node 20.20.2',
  wasBusy: false,
  isQuick: false,
  rows: [row],
};

test('the page has a section for each part of the bench', () => {
  expect(partsOnPage.map(({ name }) => name).sort()).toEqual(Object.keys(benchmarks).sort());
});

test('a figure stands with its extremes, its goal, its day and its machine, and a missed goal stays', () => {
  const page = performancePage({ share: part });
  expect(page).toContain(
    '| all together | 106.4 % | 99.0 % – 120.0 % | ≤ 15 %: **missed** | CPU \\| wall |',
  );
  expect(page).toContain('Measured on 2026-01-31, 2 cores, 4 GB of memory, Node 20.20.2.\n');
  expect(page).toContain('Not measured yet: `npm run bench -- --only growth --write-docs`.');
});

test('what was measured in a hurry or on a busy machine says so', () => {
  const page = performancePage({ share: { ...part, wasBusy: true, isQuick: true } });
  expect(page).toContain(
    'Node 20.20.2; with small code and few rounds; while other programs used the processor: only the shares and ratios say much.',
  );
});

test('a method that several rows share is told once', () => {
  const page = performancePage({
    monitor: {
      ...part,
      rows: [
        { ...row, method: 'By turns.' },
        { ...row, method: 'By turns.' },
      ],
    },
  });
  expect(page.split('By turns.')).toHaveLength(2);
});

test('what could not be measured is unknown', () => {
  expect(
    performancePage({
      share: {
        ...part,
        rows: [{ ...row, value: { median: Number.NaN, low: Number.NaN, high: Number.NaN } }],
      },
    }),
  ).toContain('| all together | unknown |');
  expect(
    printResults({
      share: { ...part, rows: [{ ...row, value: { median: Number.NaN, low: 1, high: 2 } }] },
    }),
  ).toContain('"median": null');
});

test('stored figures are in order, and as precise as they are', () => {
  const text = printResults({ share: part, editor: part });
  expect(Object.keys(JSON.parse(text) as Results)).toEqual(['editor', 'share']);
  expect(text).toContain('"median": 106.4,');
});

test('a README has the list between its marks, and stays as it is without them', () => {
  const readme = `# A\n\n${costMarks.start}\n${costMarks.end}\n`;
  expect(fillCosts(readme, { share: part })).toContain(
    '- All rules together cost 106 % of the time that the TypeScript parser takes.\n\nMeasured on 2026-01-31; [docs/performance.md]',
  );
  expect(fillCosts('# A\n', { share: part })).toBe('# A\n');
  expect(costList({})).toBe('');
});

test('a run is described by its machine, not by the machine’s name', async () => {
  const { machine, measuredAt } = await describeRun(true, new Date('2026-01-31T12:00:00Z'));
  expect(measuredAt).toBe('2026-01-31');
  expect(machine).toMatch(/^\d+ cores \(.+\), \d+ GB of memory, \w+ \w+, Node \d+\.\d+\.\d+$/u);
});

test('probes are told by their wrong answers, what those gave away and how long they took', () => {
  const run: Run = {
    fixture: 'pooler-4',
    run: 0,
    level: 'nothing else',
    pick: 4,
    confidence: 0.95,
    interval: [4, 4],
    isHeld: true,
    verdict: 'found',
    isRight: true,
    regret: 1,
    elapsedMs: 9_000,
    foreignCores: null,
  };
  const rows = toProbeRows({
    runs: [
      run,
      { ...run, pick: 6, isRight: false, confidence: 0.4, regret: 0.9, elapsedMs: 11_000 },
    ],
    ratios: [{ title: 'a statement', clients: 4, goal: 0.5, own: 100, pgbench: 200, ratio: 0.5 }],
  });
  expect(
    rows.map(({ name, value: { median }, unit }) => [name, Number(median.toFixed(3)), unit]),
  ).toEqual([
    ['wrong answers', 50, '%'],
    ['throughput given away at the pick', 5, '%'],
    ['time of a probe', 10, 's'],
    ['pgbench with one thread, beside one Node thread: a statement', 2, 'times'],
  ]);
  expect(rows[0]?.note).toBe(
    'of 2 answers in 2 runs; the surest wrong answer had a confidence of 0.40',
  );
});
