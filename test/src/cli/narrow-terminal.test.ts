import fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptyActivity, nextActivity } from '../../../src/activity/activity-model.ts';
import { describeActivity } from '../../../src/cli/activity-text.ts';
import { lintFormats } from '../../../src/cli/lint/lint-formats.ts';
import { describePoolerReport } from '../../../src/cli/pooler-text.ts';
import { formatPlan } from '../../../src/cli/probe/probe-progress.ts';
import { formatPlan as formatSweepPlan } from '../../../src/cli/sweep/sweep-progress.ts';
import { findPoolerConcerns } from '../../../src/pooler/pooler-concern.ts';
import { formats } from '../../../src/report/formats.ts';
import { widthOf } from '../../../src/text/terminal-width.ts';
import { aPooler } from '../../support/a-pooler.ts';
import { aReport, aSession } from '../../support/a-session.ts';
import { everyResult } from '../../support/probe-results.ts';

type Write = (columns: number | null) => string;

const holder = aSession({
  pid: 4242,
  application: 'checkout-api-of-the-shop',
  state: 'idle in transaction',
  stateAgeMs: 61_000,
  transactionAgeMs: 61_000,
  query: 'UPDATE orders SET paid = true WHERE id = 1',
});
const waiter = aSession({
  pid: 4243,
  application: 'billing',
  state: 'active',
  stateAgeMs: 61_000,
  transactionAgeMs: 61_000,
  queryAgeMs: 61_000,
  waitEventType: 'Lock',
  waitEvent: 'transactionid',
  isWaiting: true,
  blockedBy: [4242],
  query: 'UPDATE orders SET paid = false WHERE id = 1',
});
const hidden = aSession({ pid: 4244, state: 'hidden', application: '', clientAddress: null });
const busy = aReport([holder, waiter, hidden], 9);
const asSuperuser = {
  ...busy,
  server: { ...busy.server, user: 'postgres', isSuperuser: true, isPooled: true },
};
const once = nextActivity(emptyActivity, asSuperuser);

const pooler = aPooler([
  { cl_active: 2, cl_waiting: 3, sv_active: 2, maxwait: 7, maxwait_us: 0 },
  { database: 'warehouse-of-the-shop', user: 'reporting-service', cl_active: 1, sv_active: 1 },
]);

const place = { host: 'localhost', port: 5432, database: 'shop' };
const inLine = (line: number) => ({ start: { line, column: 2 }, end: { line, column: 8 } });
const problem = {
  place: inLine(12),
  severity: 'error',
  rule: 'poolguard/no-unreleased-client',
  message:
    'Connection leak: `client` is never released if line 14 throws. Wrap the code after `connect()` in `try … finally { client.release() }`.',
  steps: [
    { place: inLine(12), text: 'the client is checked out of the pool of this module here' },
    { place: inLine(14), text: 'this call may throw, and no path from here releases it' },
  ],
} as const;
const linted = {
  cwd: '/app',
  files: [
    { path: '/app/src/orders.ts', problems: [problem], source: '' },
    {
      path: '/app/src/db.ts',
      problems: [],
      source: '',
      mistake: { message: 'Maximum call stack size exceeded while the file was read' },
    },
  ],
};

const outputs: readonly (readonly [string, Write])[] = [
  [
    'activity, once',
    (columns) => describeActivity(once, { isColored: false, columns, listsAll: true }),
  ],
  [
    'activity, watched',
    (columns) =>
      describeActivity(nextActivity(once, asSuperuser), {
        isColored: false,
        columns,
        listsAll: false,
        rows: 12,
      }),
  ],
  [
    'pooler',
    (columns) =>
      describePoolerReport(pooler, findPoolerConcerns(pooler), { isColored: false, columns }),
  ],
  ['lint', (columns) => lintFormats.stylish(linted as never, { isColored: false, columns })],
  ...everyResult.map((result): readonly [string, Write] => [
    `report of ${result.experiment}`,
    (columns) => formats.terminal.write(result, { isColored: false, columns }),
  ]),
  [
    'plan of a probe',
    (columns) =>
      formatPlan(
        {
          experiment: 'size',
          place,
          role: { name: 'app', power: null },
          free: 90,
          sizes: [1, 2, 4],
          statements: ['SELECT count(*) FROM orders WHERE state = $1 AND customer = $2'],
          calls: [],
          steps: ['Opens the connections once, and lets 1, 2 and 4 of them work by turns.'],
          connections: 5,
          expectedMs: 9_000,
          cap: { size: 48, because: 'half of the 96 free connections' },
          notes: ['The statement is a stand-in, which says nothing of your own statements.'],
        } as never,
        columns,
      ),
  ],
  [
    'plan of a sweep',
    (columns) =>
      formatSweepPlan(
        {
          command: 'npm run dev',
          url: 'http://localhost:3000/users',
          method: 'GET',
          sizes: [5, 10],
          steps: ['Starts the application once for each size, and stops it again.'],
          expectedMs: 90_000,
          notes: ['The database is not looked at, because none was named.'],
        } as never,
        columns,
      ),
  ],
];

const words = (text: string) => text.replaceAll(/\s+/gu, ' ').trim();

/** Lines of the unbroken text that are no rows of a table, whose cells stand two blanks or more apart, and no code. */
function sentencesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .filter((line) => /[a-z]{2}.* .*[.?!]$/u.test(line) && !/\S {3,}\S|^\/\/|^ *\/\/|─/u.test(line))
    .map(words);
}

test.each(outputs)('%s: breaks sentences between words at any width, and cuts none', (_, write) => {
  const sentences = sentencesOf(write(null));
  expect(sentences.length).toBeGreaterThan(0);
  fc.assert(
    fc.property(fc.integer({ min: 40, max: 120 }), (columns) => {
      const text = write(columns);
      const shown = words(text);
      for (const sentence of sentences) expect(shown).toContain(sentence);
      const tooWide = text
        .split('\n')
        .filter((line) => widthOf(line) > columns && words(line).includes(' '));
      expect(tooWide.filter((line) => !isCode(line))).toEqual([]);
    }),
    { numRuns: 12, examples: [[40], [60], [80], [120]] },
  );
});

/** What is there to be copied is not broken. */
function isCode(line: string): boolean {
  return /^ {2}(?:[\w.]+[:(]|--|\w+ = )|^CREATE |^new Pool/u.test(line);
}

test('the blocking tree keeps its branches, and shortens statements before sentences', () => {
  const text = describeActivity(once, { isColored: false, columns: 40, listsAll: false });
  expect(text).toContain(
    [
      'blocking',
      '4242 checkout-api-of-the-shop (idle in',
      '   transaction 1 min 1 s) blocks 1',
      '   session: UPDATE orders SET paid = tr…',
      '└─ 4243 billing waits for 1 min 1 s,',
      '   Lock: transactionid: UPDATE orders S…',
    ].join('\n'),
  );
});
