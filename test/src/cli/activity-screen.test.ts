import fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptyActivity, nextActivity } from '../../../src/activity/activity-model.ts';
import { type Session, sessionKey } from '../../../src/activity/snapshot.ts';
import { drawScreen, type ScreenView } from '../../../src/cli/activity-screen.ts';
import { listedSessions } from '../../../src/cli/session-table.ts';
import type { WatchChoice } from '../../../src/cli/watch-choice.ts';
import { widthOf } from '../../../src/text/terminal-width.ts';
import { aReport, aSession } from '../../support/a-session.ts';
import { hostileTexts } from '../../support/hostile-text.ts';

const sessions = Array.from({ length: 50 }, (_, index) =>
  aSession({
    pid: 1000 + index,
    state: 'active',
    application: `worker-${index}`,
    stateAgeMs: 100_000 - index,
    queryAgeMs: 100_000 - index,
    query: hostileTexts[index % hostileTexts.length] ?? '',
  }),
);
const report = aReport(sessions);
const model = nextActivity(emptyActivity, report);
const listed = listedSessions(model, { columns: 80, listsAll: false });
const choice: WatchChoice = {
  intervalSeconds: 2,
  isPaused: false,
  listsAll: false,
  order: null,
  selected: null,
  question: null,
  notice: '',
  showsHelp: false,
};

function viewOf(change: Partial<ScreenView> = {}): ScreenView {
  return {
    isColored: false,
    columns: 80,
    rows: 24,
    listsAll: false,
    choice,
    sessions: listed,
    state: { kind: 'live', report, nextInMs: 2_000 },
    place: { isPrivate: true, isPooled: false },
    top: 0,
    ...change,
  };
}

function select(at: number): WatchChoice {
  const session = listed[at];
  return { ...choice, selected: session === undefined ? null : { key: sessionKey(session), at } };
}

function selectedLine({ lines }: { readonly lines: readonly string[] }): string | undefined {
  return lines.find((line) => line.startsWith('> '));
}

test('fits every screen, shows the selected session, and lets no control character out', () => {
  fc.assert(
    fc.property(
      fc.record({
        columns: fc.integer({ min: 40, max: 200 }),
        rows: fc.integer({ min: 20, max: 80 }),
        at: fc.integer({ min: 0, max: 49 }),
        top: fc.integer({ min: 0, max: 60 }),
        asks: fc.boolean(),
        showsHelp: fc.boolean(),
      }),
      ({ columns, rows, at, top, asks, showsHelp }) => {
        const session = listed[at];
        if (session === undefined) throw new Error('No such session.');
        const drawn = drawScreen(
          model,
          viewOf({
            columns,
            rows,
            top,
            choice: {
              ...select(at),
              showsHelp: showsHelp && !asks,
              question: asks ? { action: 'terminate', session, seenAt: report.takenAt } : null,
            },
          }),
        );
        expect(drawn.lines.length).toBeLessThanOrEqual(rows);
        expect(Math.max(...drawn.lines.map(widthOf))).toBeLessThanOrEqual(columns);
        expect(drawn.lines.join('')).not.toMatch(/[\p{Cc}\u202E]/u);
        if (!asks && !showsHelp)
          expect(selectedLine(drawn)).toMatch(new RegExp(`^> ${session.pid} `));
        if (asks) expect(drawn.lines.at(-1)).toMatch(/\[y\/N\]$/);
      },
    ),
    { numRuns: 60 },
  );
});

test('cuts a word that is wider than the screen', () => {
  const session = aSession({ query: 'x'.repeat(60) });
  const question = { action: 'terminate', session, seenAt: report.takenAt } as const;
  const { lines } = drawScreen(model, viewOf({ columns: 40, choice: { ...choice, question } }));
  expect(lines).toContain(`${'x'.repeat(39)}…`);
});

test('scrolls as little as shows the selection', () => {
  const { page } = drawScreen(model, viewOf());
  const down = drawScreen(model, viewOf({ choice: select(page + 2) }));
  expect(down.top).toBe(3);
  const back = drawScreen(model, viewOf({ choice: select(page), top: down.top }));
  expect(back.top).toBe(3);
  expect(drawScreen(model, viewOf({ choice: select(1), top: down.top })).top).toBe(1);
  expect(drawScreen(model, viewOf({ choice: select(49), top: 0 })).top).toBe(50 - page);
});

test('the question names who it is about, and its foot says which key does it', () => {
  const session = aSession({
    pid: 77,
    state: 'active',
    stateAgeMs: 65_000,
    queryAgeMs: 65_000,
    query: 'SELECT pg_sleep(600)',
  });
  const question = { action: 'cancel', session, seenAt: report.takenAt } as const;
  const { lines } = drawScreen(model, viewOf({ choice: { ...choice, question } }));
  expect(lines.slice(-6)).toEqual(
    [
      'Cancel the statement of session 77 of api?',
      'Process id 77, user app, application api, database shop at localhost:5432, from',
      '10.0.0.1:50000.',
      'State: active for 1 min 5 s.',
      'Statement: SELECT pg_sleep(600)',
      'Cancel stops the statement with an error; the connection stays.',
      'Press y to cancel, any other key to leave it as it is. [y/N]',
    ].slice(-6),
  );
});

test('while a question is open, its ages are those of the table above it; of a session that went on they stay, and that is said', () => {
  const asked = aSession({ pid: 1000, state: 'active', stateAgeMs: 60_000, query: 'SELECT 1' });
  const drawn = (now: Partial<Session>) => {
    const next = nextActivity(emptyActivity, aReport([{ ...asked, ...now }]));
    const question = { action: 'terminate', session: asked, seenAt: report.takenAt } as const;
    return drawScreen(
      next,
      viewOf({
        sessions: listedSessions(next, { columns: 80, listsAll: true }),
        choice: { ...choice, question },
      }),
    ).lines.join('\n');
  };
  const later = drawn({ stateAgeMs: 62_000 });
  expect(later).toMatch(/1000 +active 1 min 2 s[^]*State: active for 1 min 2 s/);
  expect(later).not.toContain('As it was');
  const other = drawn({ stateAgeMs: 10, query: 'SELECT 2' });
  expect(other).toMatch(/As it was at [\d:]+:\n[^]*State: active for 1 min\./);
});

test('says what it is sorted by, in words and above the column', () => {
  const order = { column: 'query-age', isDescending: true } as const;
  const text = drawScreen(
    model,
    viewOf({ columns: 160, order, choice: { ...choice, order } }),
  ).lines.join('\n');
  expect(text).toContain('50 sessions, sorted by query-age ▼');
  expect(text).toMatch(/^ {2}pid .* query ▼ /mu);
});

test('? shows every key', () => {
  const { lines } = drawScreen(model, viewOf({ choice: { ...choice, showsHelp: true } }));
  expect(lines.join('\n')).toMatch(/^k or t +terminate the selected session, after a question$/m);
  expect(lines.at(-1)).toBe('Press any key to return.');
});

test('a lost server keeps what was seen last on the screen', () => {
  const failure = { kind: 'lost', sentence: 'The server went away.', code: null } as const;
  const { lines } = drawScreen(
    model,
    viewOf({ state: { kind: 'lost', failure, retryInMs: 1_000, attempt: 1, report } }),
  );
  expect(lines[0]).toMatch(/^The server went away\. Trying again in 1\.0 s\. Last sample: /);
  expect(lines.join('\n')).toContain('worker-0');
});
