import fc from 'fast-check';
import { expect } from 'vitest';
import { readCommand } from '../../monitor/reporters/socket.ts';
import plugin from '../../rules/index.ts';
import { poolguard } from '../../src/lint/analyser.ts';
import { ruleIdsOf } from '../../src/lint/analyser.ts';
import { createLinter } from '../../src/lint/linter.ts';
import { emptyActivity } from '../../src/activity/activity-model.ts';
import { deepest, mostEvidence, mostPids } from '../../src/running/evidence.ts';
import { readReport } from '../../src/running/read-report.ts';
import { nextRunningApps, type RunningEvent } from '../../src/running/running-apps.ts';
import { poolHealth } from '../../src/running/health.ts';
import { isExcluded } from '../../src/server/checks.ts';
import { readEvidence } from '../../src/server/evidence/read-evidence.ts';
import { toLintSettings } from '../../src/server/server-settings.ts';
import { readSettings, settings } from '../../src/settings/settings.ts';
import { firstLayout } from '../../src/webview/column-layout.ts';
import { parseFromView } from '../../src/webview/from-view.ts';
import { applyToModel, type PoolModel, type ToView } from '../../src/webview/to-view.ts';
import { parseFromPoolerPage } from '../../src/webview/from-pooler-page.ts';
import { everyReport } from '../support/monitor-reports.ts';
import { fuzz } from './support/fuzz.ts';
import { spoilt, strangeValue, textsIn } from '../support/spoilt.ts';

const list = { order: { column: 'pid', isDescending: true }, filter: 'x', hidesIdle: false };
const fromViews = [
  'ready',
  'probe',
  'cancel-probe',
  'conclude-probe',
  'pause',
  'connect',
  'toString',
  '__proto__',
].map((kind): unknown => ({ kind }));
const fromView = [
  ...fromViews,
  { kind: 'interval', seconds: 5 },
  { kind: 'open', section: 'probe' },
  { kind: 'session', action: 'terminate', key: '4711@2026' },
  { kind: 'pool', action: 'copy', key: 'a' },
  { kind: 'export', to: 'file', list },
  { kind: 'code-place', key: 'a:1' },
];

fuzz(
  'whatever a page sends is a message of ours, or none',
  fc.oneof(spoilt(fromView), strangeValue),
  (value) => {
    const message = parseFromView(value);
    if (message !== undefined) {
      expect(parseFromView(JSON.parse(JSON.stringify(message)))).toEqual(message);
      expect(Object.getPrototypeOf(message)).toBe(Object.prototype);
    }
    if (message?.kind === 'export') expect(message.list.filter.length).toBeLessThanOrEqual(1_000);
    const pooler = parseFromPoolerPage(value);
    if (pooler !== undefined) expect(Object.keys(pooler)).toEqual(['kind']);
  },
);

const model: PoolModel = {
  connection: { kind: 'none', saved: 0 },
  activity: emptyActivity,
  probe: { kind: 'idle' },
  history: null,
  intervalSeconds: 2,
  columns: firstLayout,
  pooler: { kind: 'unknown' },
  running: {
    isTrusted: true,
    isListening: false,
    watchesTerminals: false,
    at: 0,
    apps: [],
    more: 0,
  },
};
const toViews: readonly ToView[] = [
  { kind: 'model', model, seenAgoMs: null },
  { kind: 'connection', connection: { kind: 'live', label: 'shop' }, intervalSeconds: 5 },
  { kind: 'probe', probe: { kind: 'cancelling' } },
  { kind: 'history', history: { statement: 'SELECT 1', runs: [] } },
  { kind: 'pooler', pooler: { kind: 'direct' } },
];

fuzz(
  'the same messages in the same order leave a page with the same model',
  fc.array(fc.constantFrom(...toViews), { maxLength: 10 }),
  (messages) => {
    const after = messages.reduce(applyToModel, model);
    const last = messages.findLastIndex(({ kind }) => kind === 'model');
    expect(messages.slice(Math.max(last, 0)).reduce(applyToModel, model)).toEqual(after);
  },
);

fuzz(
  'whatever an application reports is plain, bounded, and read again as itself',
  fc.oneof(spoilt(everyReport), strangeValue),
  (value) => {
    const line = JSON.stringify(value);
    const report = readReport(line);
    if (report === null) return;
    expect(readReport(JSON.stringify(report))).toEqual(report);
    expect(
      textsIn(report).filter(
        (text) => text.length > 8_192 || /[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/u.test(text),
      ),
    ).toEqual([]);
  },
);

const events = fc.array(
  fc.tuple(
    fc.constantFrom('a', 'b', 'c'),
    fc.oneof(
      fc.constantFrom<RunningEvent | null>(...everyReport),
      spoilt(everyReport).map((value) => readReport(JSON.stringify(value))),
    ),
  ),
  { maxLength: 40 },
);

fuzz('whatever applications report, each of their pools can be judged', events, (all) => {
  const apps = all.reduce<ReturnType<typeof nextRunningApps>>(
    (before, [key, event]) =>
      event === null ? before : nextRunningApps(before, key, event, 2_000),
    [],
  );
  expect(new Set(apps.map(({ key }) => key)).size).toBe(apps.length);
  for (const pool of apps.flatMap(({ pools }) => pools))
    expect(poolHealth(pool, 2_000).sentence).toMatch(/\.$/u);
});

fuzz(
  'whatever a listener sends is a command in its bounds, or none',
  fc.oneof(spoilt([{ kind: 'welcome' }, { kind: 'set-max', pool: 1, max: 5 }]), strangeValue),
  (value) => {
    const command = readCommand(JSON.stringify(value));
    if (command?.kind === 'set-max')
      expect([
        Number.isSafeInteger(command.pool),
        command.max >= 1,
        command.max <= 262_143,
      ]).toEqual([true, true, true]);
  },
);

const place = { file: '/srv/a.ts', line: 3, column: 4, function: null };
const evidence = [
  {
    key: 'k',
    kind: 'held',
    stack: [place, place],
    related: [{ what: 'acquired', place }],
    count: 2,
    longestMs: 5,
    isWaitedFor: true,
    pool: 'p',
    app: 'a',
    pids: [1, 2],
    startedAt: 1,
    hasEnded: false,
  },
];

fuzz(
  'whatever the editor tells of running applications is bounded',
  fc.oneof(spoilt([evidence, [...evidence, ...evidence]]), strangeValue),
  (value) => {
    const read = readEvidence(value);
    expect(read.length).toBeLessThanOrEqual(mostEvidence);
    expect(readEvidence(read).length).toBe(read.length);
    for (const { stack, pids, pool, app, count } of read) {
      expect([
        stack.length > 0 && stack.length <= deepest,
        pids.length <= mostPids,
        count >= 1,
      ]).toEqual([true, true, true]);
      expect(`${pool}${app}`).not.toMatch(/[\p{Cc}\u202A-\u202E]/u);
      for (const { file } of stack) expect(file).toMatch(/^\/(?!.*\/\.\.(?:\/|$))/su);
    }
  },
);

const usual = Object.fromEntries(
  Object.entries(settings).map(([key, { default: value }]) => [key, value]),
);
const nested = {
  lint: {
    enable: true,
    exclude: ['**/gen/**', 'a/*.ts'],
    preset: 'strict',
    rules: { 'no-unreleased-client': 'warn' },
    whenEslintReports: 'defer',
  },
  pooler: 'pgbouncer:transaction:1.21',
  directAddresses: ['DIRECT_URL'],
  activity: { thresholds: {} },
};
const leak =
  "import { Pool } from 'pg';\nconst pool = new Pool();\nexport async function look() { const client = await pool.connect(); await client.query('SELECT 1'); }\n";

fuzz(
  'whatever a workspace sets, a file is linted, and the settings read again are the same',
  fc.oneof(spoilt([nested, usual]), strangeValue),
  (value) => {
    const read = readSettings(value);
    expect(Object.keys(read).sort()).toEqual(Object.keys(settings).sort());
    expect(isExcluded('src/a.ts', read['lint.exclude'])).toBeTypeOf('boolean');
    const { problems } = createLinter(
      poolguard,
      toLintSettings(read, {}, ruleIdsOf(poolguard)),
    )({ path: '/shop/a.ts', text: leak });
    for (const { rule } of problems)
      expect(Object.keys(plugin.rules)).toContain(rule?.replace('poolguard/', ''));
  },
  40,
);

const glob = fc
  .array(
    fc.constantFrom(
      '**',
      '*',
      '?',
      '/',
      'a',
      'ab',
      '{a,b}',
      '{',
      '}',
      ',',
      '[a-z]',
      '[!a]',
      '[',
      ']',
      '!',
      '.',
      '\\',
      '+',
      '@',
      '|',
      '^',
      '$',
      '[[:alpha:]]',
      '{1..9}',
      '(',
      ')',
    ),
    { maxLength: 24 },
  )
  .map((parts) => parts.join(''));
const path = fc
  .array(fc.constantFrom('a', 'b', 'aa', '/', '.', 'a/a/a/a', 'aaaaaaaaaaaaaaaa'), {
    maxLength: 40,
  })
  .map((parts) => parts.join(''));

fuzz('no pattern of a workspace takes long to say no', fc.tuple(glob, path), ([pattern, file]) => {
  const start = process.cpuUsage().user;
  isExcluded(file, readSettings({ lint: { exclude: [pattern] } })['lint.exclude']);
  expect(process.cpuUsage().user - start).toBeLessThan(2_000_000);
});
