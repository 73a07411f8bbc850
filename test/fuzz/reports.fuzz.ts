import fc from 'fast-check';
import { expect } from 'vitest';
import { emptyActivity, nextActivity } from '../../src/activity/activity-model.ts';
import {
  exportFormats,
  exportSessions,
  statementChoices,
} from '../../src/activity/export-sessions.ts';
import type { Session } from '../../src/activity/snapshot.ts';
import { describeActivity } from '../../src/cli/activity-text.ts';
import { describePoolerReport } from '../../src/cli/pooler-text.ts';
import { findPoolerConcerns } from '../../src/pooler/pooler-concern.ts';
import { emptyPooler, nextPooler } from '../../src/pooler/pooler-model.ts';
import { toPoolerReport, type ConsoleRow } from '../../src/pooler/to-pooler-report.ts';
import { readResult } from '../../src/probe/saved/read-result.ts';
import { formatNames, formats } from '../../src/report/formats.ts';
import { renderReport } from '../../src/report/html.ts';
import { toJson } from '../../src/text/to-json.ts';
import { aReport, aSession } from '../support/a-session.ts';
import { consoleColumns } from '../support/console-columns.ts';
import { hostileText, rawHidden, rawHiddenFromPeople } from '../support/hostile-text.ts';
import { everyResult } from '../support/probe-results.ts';
import { fuzz } from './support/fuzz.ts';
import { spoilt, strangeValue } from '../support/spoilt.ts';

const markup = /<img|<script|<svg\/|onerror=alert/u;
const plain = { isColored: false, columns: null };

const age = fc.option(fc.oneof(fc.nat(10_000_000), fc.constantFrom(0, 0.5, -1, 1e15)));
const state = fc.constantFrom(
  'active',
  'idle',
  'idle in transaction',
  'idle in transaction (aborted)',
  'hidden',
  'disabled',
  'starting',
);
const session: fc.Arbitrary<Session> = fc
  .record({
    pid: fc.integer({ min: 1, max: 12 }),
    state,
    user: fc.option(hostileText),
    database: fc.option(hostileText),
    application: hostileText,
    clientAddress: fc.option(hostileText),
    clientPort: fc.option(fc.nat(65_535)),
    transactionAgeMs: age,
    queryAgeMs: age,
    stateAgeMs: age,
    waitEventType: fc.option(hostileText),
    waitEvent: fc.option(hostileText),
    isWaiting: fc.boolean(),
    blockedBy: fc.array(fc.nat(12), { maxLength: 4 }),
    query: hostileText,
    isOwn: fc.boolean(),
  })
  .map((change) => aSession(change as Partial<Session>));
const sessions = fc.uniqueArray(session, { maxLength: 12, selector: ({ pid }) => pid });

fuzz(
  'whatever sessions say, the terminal shows plain text, and the model is the same twice',
  fc.array(sessions, { minLength: 1, maxLength: 3 }),
  (looks) => {
    const model = () =>
      looks.reduce((before, each) => nextActivity(before, aReport(each)), emptyActivity);
    expect(model()).toEqual(model());
    for (const columns of [null, 1, 20, 200])
      expect(describeActivity(model(), { isColored: false, columns, listsAll: true })).not.toMatch(
        rawHiddenFromPeople,
      );
  },
  60,
);

fuzz(
  'whatever sessions say, an exported list is well formed and starts no formula',
  fc.tuple(sessions, fc.constantFrom(...statementChoices)),
  ([all, statements]) => {
    for (const format of exportFormats) {
      const text = exportSessions(aReport(all), all, { format, statements });
      expect(text).not.toMatch(rawHidden);
      if (format === 'json' && statements === 'whole')
        expect(JSON.parse(text)).toEqual(
          JSON.parse(JSON.stringify({ ...aReport(all), sessions: all })),
        );
      if (format === 'json')
        expect((JSON.parse(text) as { sessions: unknown[] }).sessions).toHaveLength(all.length);
      if (format === 'csv') expectSafeCsv(text, all.length + 1);
    }
    const page = renderReport({
      title: 'x',
      madeAt: '2026-01-01T00:00:00Z',
      madeBy: 'poolguard',
      files: [],
      activity: aReport(all),
      application: null,
      loads: [],
      probe: null,
    });
    for (const pattern of [markup, rawHidden]) expect(page).not.toMatch(pattern);
  },
  300,
);

/** Every row has the cells of the head, and no cell begins with what a spreadsheet takes for a formula. */
function expectSafeCsv(text: string, rows: number): void {
  const read = cellsOf(text);
  expect(read.length).toBe(rows);
  expect(new Set(read.map((row) => row.length)).size).toBe(1);
  for (const cell of read.flat())
    expect(cell).not.toMatch(/^[=+@\t\r]|^-(?!\d+(?:\.\d+)?(?:e[+-]\d+)?$)/u);
}

/** RFC 4180. */
function cellsOf(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, bare, end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|$)/gy,
  )) {
    if (end === '' && row.length === 0 && quoted === undefined && bare === '') break;
    row.push(quoted?.replaceAll('""', '"') ?? bare ?? '');
    if (end === ',') continue;
    rows.push(row);
    row = [];
    if (end === '') break;
  }
  return rows;
}

const columns = [
  ...new Set(
    Object.values(consoleColumns).flatMap((tables) =>
      Object.values(tables).flatMap((names) => names.split(' ')),
    ),
  ),
];
const row: fc.Arbitrary<ConsoleRow> = fc.dictionary(
  fc.constantFrom(...columns, '__proto__'),
  fc.oneof(
    fc.constantFrom<unknown>(
      '0',
      '12',
      '-1',
      '1e400',
      'NaN',
      'shop',
      'pgbouncer',
      'transaction',
      '',
      null,
    ),
    fc.nat(),
    hostileText,
    strangeValue,
  ),
  { maxKeys: 16 },
);
const rows = fc.array(row, { maxLength: 5 });

fuzz(
  'whatever a console answers, the pooler is described in plain text and finite numbers',
  fc.record({
    pools: rows,
    stats: rows,
    databases: rows,
    lists: rows,
    users: rows,
    config: rows,
    clients: fc.option(rows),
    servers: fc.option(rows),
  }),
  (answers) => {
    const report = toPoolerReport(
      answers,
      { product: 'PgBouncer', version: '1.25.0', host: 'localhost', port: 6432, user: 'stats' },
      new Date(0),
      { rows: answers.stats.slice(1), agoMs: 1 },
    );
    const { clientConnections, ...sums } = report.totals;
    expect(JSON.stringify(sums)).not.toContain('null');
    expect(clientConnections).toSatisfy((value) => value === null || Number.isFinite(value));
    expect(
      describePoolerReport(report, findPoolerConcerns(report), { isColored: false, columns: null }),
    ).not.toMatch(rawHiddenFromPeople);
    expect(toJson(report)).not.toMatch(rawHidden);
    expect(nextPooler(nextPooler(emptyPooler, report), report).report).toEqual(report);
  },
  300,
);

fuzz(
  'a saved result is read, or refused in a sentence, and what is read can be written in every format',
  fc.oneof(
    {
      weight: 4,
      arbitrary: spoilt(everyResult.map((each) => JSON.parse(JSON.stringify(each)) as unknown)),
    },
    { weight: 1, arbitrary: strangeValue },
  ),
  (value) => {
    const answer = readResult(JSON.stringify(value), 'old.json');
    if (answer.kind === 'refused')
      return void expect(answer.sentence).toMatch(/^old\.json [^\n]{1,600}\.$/u);
    expect(readResult(formats.json.write(answer.result, plain), 'old.json').kind).toBe('result');
    for (const name of formatNames) {
      const text = formats[name].write(answer.result, plain);
      expect(text.length).toBeGreaterThan(0);
      expect(text).not.toMatch(name === 'terminal' ? rawHiddenFromPeople : rawHidden);
      if (name === 'html') expect(text).not.toMatch(markup);
      if (name === 'csv') expectSafeCsv(text, cellsOf(text).length);
    }
  },
  1000,
);
