import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { toHeadroom } from '../../../src/activity/headroom.ts';
import type { ActivityReport } from '../../../src/activity/snapshot.ts';
import type { Problem } from '../../../src/lint/problem.ts';
import type { SizeResult } from '../../../src/probe/result.ts';
import { foundTwo } from '../../support/probe-result.ts';
import { excerptOf } from '../../../src/report/html/findings.ts';
import { renderReport } from '../../../src/report/html.ts';
import type { ReportInput } from '../../../src/report/report-input.ts';
import { aServer } from '../../support/a-session.ts';
import { rawHidden } from '../../support/hostile-text.ts';

const hostile = `</script></style><img src=x onerror=alert(1)>"'&\u202E\u0007`;

const inLine = (line: number): Problem['place'] => ({
  start: { line, column: 0 },
  end: { line, column: 4 },
});

const problem: Problem = {
  rule: 'poolguard/no-unreleased-client',
  severity: 'error',
  message: hostile,
  place: inLine(2),
  steps: [
    { place: inLine(2), text: hostile },
    { place: inLine(9), text: 'Control leaves here.' },
    { place: inLine(3), text: hostile, file: `/tmp/${hostile}` },
  ],
  fixes: [],
};

const activity: ActivityReport = {
  schemaVersion: 1,
  takenAt: '2026-01-02T03:04:05.000Z',
  server: { ...aServer, version: hostile, host: hostile, database: hostile, user: hostile },
  headroom: toHeadroom({ maxConnections: 100, superuserReserved: 3, reserved: 0 }, []),
  sessions: [
    {
      pid: 7,
      backendStart: '2026-01-02T03:04:05.000Z',
      user: hostile,
      database: hostile,
      application: hostile,
      clientAddress: '127.0.0.1',
      clientPort: 1,
      state: 'idle in transaction',
      transactionAgeMs: 61_000,
      queryAgeMs: 61_000,
      stateAgeMs: 60_000,
      waitEventType: hostile,
      waitEvent: hostile,
      isWaiting: true,
      blockedBy: [8],
      query: hostile,
      isOwn: false,
    },
  ],
};

const probe: SizeResult = {
  ...foundTwo,
  verdict: { kind: 'found', because: hostile },
  recommendation: {
    max: 4,
    interval: [4, 6],
    confidence: 0.9,
    limitedBy: hostile,
    defaultPoolSize: null,
    connectionTimeoutMs: 5_000,
  },
  sizes: [
    {
      size: 4,
      throughput: 5_000,
      low: 4_900,
      high: 5_100,
      meanMs: 0.8,
      slices: 10,
    },
  ],
  knee: 4,
  cap: { size: 40, because: hostile },
  workload: {
    origin: 'given',
    inTransaction: false,
    statements: [{ text: hostile, share: 1, parameters: [], meanMs: 1 }],
  },
  rounds: 3,
  elapsedMs: 9_000,
  notes: [hostile],
  validation: null,
  server: { version: hostile, host: hostile, port: 5432, database: hostile, pooler: null },
};

const everything: ReportInput = {
  title: hostile,
  madeAt: '2026-01-02T03:04:05.000Z',
  madeBy: hostile,
  files: [
    {
      path: hostile,
      text: Array.from({ length: 12 }, () => hostile).join('\n'),
      problems: [problem],
    },
  ],
  activity,
  application: null,
  loads: [
    {
      name: hostile,
      seconds: 8,
      callers: 20,
      requests: 100,
      answered: 75,
      failed: 25,
      throughput: 9.4,
      averageMs: 100,
      p50Ms: 90,
      p99Ms: 2_001,
      lostClients: 10,
      poolMax: 10,
    },
  ],
  probe,
};

describe('renderReport', () => {
  const page = renderReport(everything);

  test('escapes every text of the input, wherever it stands', () => {
    const withoutOurs = page.replace(/<style>[^<]*<\/style>/u, '');
    expect(withoutOurs).not.toMatch(/<img|<\/style|<\/?script/u);
    expect(page).not.toMatch(rawHidden);
    expect(page).toContain('\\u202e\\u0007');
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;');
  });

  test('shows every part of the input', () => {
    expect(page.match(/<h2>[^<]+/gu)).toEqual([
      '<h2>Findings',
      '<h2>Sessions while the load ran',
      '<h2>Under load, side by side',
      '<h2>Pool size',
    ]);
    for (const text of [
      'max: 4',
      '25 (25 %)',
      '2.0 s',
      '10 of 10',
      '61.0 s',
      '<figure class="chart">',
      'Control leaves here.',
      'poolguard/no-unreleased-client',
    ])
      expect(page).toContain(text);
  });

  test('allows exactly its own style, and no script', () => {
    const policy =
      /Content-Security-Policy" content="([^"]+)"/u.exec(page)?.[1]?.replaceAll('&#39;', "'") ?? '';
    const styles = /<style>([^<]*)<\/style>/u.exec(page)?.[1] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(createHash('sha256').update(styles).digest('base64'));
    expect(policy).not.toContain('script-src');
    expect(page).not.toMatch(/ style=|unsafe-inline|https?:/u);
  });

  test('leaves out what there is nothing about', () => {
    const bare = renderReport({ ...everything, files: [], activity: null, loads: [], probe: null });
    expect(bare).not.toContain('<h2>');
  });

  test('says so when nothing was found', () => {
    expect(
      renderReport({ ...everything, files: [{ path: 'a.ts', text: '', problems: [] }] }),
    ).toContain('Nothing found in 1 file.');
  });
});

test('an excerpt shows the finding and its path, with gaps between', () => {
  const text = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`).join('\n');
  const rows = excerptOf({ ...problem, steps: problem.steps.slice(0, 2) }, text);
  expect(
    rows.map((row) =>
      row.kind === 'gap' ? '…' : row.kind === 'step' ? `(${row.number})` : row.number,
    ),
  ).toEqual([1, 2, '(1)', 3, '…', 8, 9, '(2)', 10]);
});
