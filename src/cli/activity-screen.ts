import pc from 'picocolors';
import type { ActivityModel } from '../activity/activity-model.ts';
import { askEnding, type EndingPlace } from '../activity/ending-words.ts';
import type { PollerState } from '../activity/poller.ts';
import { cutToWidth, wrapWords } from '../text/terminal-width.ts';
import { describeSummary, sayNoSession, type ActivityView } from './activity-text.ts';
import { sessionTable } from './session-table.ts';
import { timeOfDay } from './time-of-day.ts';
import { type ActivityReport, type Session, sessionKey } from '../activity/snapshot.ts';
import {
  keysHelp,
  keysHint,
  type Question,
  type WatchChoice,
  type Watched,
} from './watch-choice.ts';
import { lostSentence } from './watch.ts';

/** What the screen shows, besides the model. */
export interface ScreenView extends ActivityView {
  readonly columns: number;
  readonly rows: number;
  readonly choice: WatchChoice;
  readonly sessions: Watched['sessions'];
  readonly state: PollerState;
  readonly place: Omit<EndingPlace, 'report'>;
  /** The first session that was shown before. */
  readonly top: number;
}

export interface DrawnScreen {
  readonly lines: readonly string[];
  /** The first session that is shown. */
  readonly top: number;
  /** How many sessions are shown at most. */
  readonly page: number;
}

/** What the list has at least, however much there is above it. */
const fewestSessions = 5;
const mark = '> ';
const noMark = '  ';

/** A screen of exactly the size of the view at most: state, summary, sessions, and what keys do at its foot. */
export function drawScreen(model: ActivityModel, view: ScreenView): DrawnScreen {
  const { choice, rows, columns } = view;
  const status = wrapLines(describeStatus(view.state, choice), columns);
  const foot = footOf(model, view);
  if (choice.showsHelp)
    return { lines: [...status, '', ...helpLines(columns)].slice(0, rows), top: view.top, page: 1 };
  const room = rows - status.length - foot.length;
  const list = listLines(model, view);
  const summary = summaryLines(
    model,
    view,
    room - Math.min(list.head.length + list.rows.length, Math.max(fewestSessions, room / 2)) - 2,
  );
  const page = Math.max(1, room - summary.length - list.head.length);
  const top = scroll(view, page);
  const lines = [...status, ...summary, ...list.head, ...list.rows.slice(top, top + page)];
  return {
    // The question is what counts on a screen that is too small for both.
    lines: [...lines.slice(0, Math.max(0, rows - foot.length)), ...foot].slice(-rows),
    top,
    page,
  };
}

/** Scrolls as little as shows the selected session. */
function scroll({ top, sessions, choice: { selected } }: ScreenView, page: number): number {
  const at = selected?.at ?? top;
  const seen = at < top ? at : Math.max(top, at - page + 1);
  return Math.max(0, Math.min(seen, sessions.length - page));
}

function describeStatus(state: PollerState, { isPaused }: WatchChoice): string {
  switch (state.kind) {
    case 'connecting':
      return 'Connecting …';
    case 'paused':
      return `Paused: the connection is closed.${lastSeen(state.report)}`;
    case 'live':
      return isPaused
        ? 'Pausing …'
        : `Live at ${timeOfDay(state.report.takenAt)}, again in ${(state.nextInMs / 1_000).toFixed(1)} s.`;
    case 'lost':
      return `${lostSentence(state)}${lastSeen(state.report)}`;
  }
}

function lastSeen(report: ActivityModel['report']): string {
  return report === null ? '' : ` Last sample: ${timeOfDay(report.takenAt)}.`;
}

/** As many lines as there is room for, with a blank one around. */
function summaryLines(model: ActivityModel, view: ScreenView, room: number): readonly string[] {
  const lines = describeSummary(model, view).split('\n');
  const fits = Math.max(0, Math.floor(room));
  if (lines.length <= fits) return ['', ...lines, ''];
  const more = wrapLines(
    `… ${lines.length - fits + 1} more lines; a taller window shows them.`,
    view.columns,
  );
  return ['', ...lines.slice(0, Math.max(1, fits - more.length)), ...more, ''];
}

interface ListLines {
  readonly head: readonly string[];
  readonly rows: readonly string[];
}

function listLines(model: ActivityModel, view: ScreenView): ListLines {
  const { sessions, columns, choice } = view;
  if (model.report === null) return { head: [], rows: [] };
  if (sessions.length === 0)
    return { head: wrapLines(sayNoSession(model.report, view), columns), rows: [] };
  const colors = pc.createColors(view.isColored);
  const { lines, leftOut } = sessionTable(
    sessions,
    model,
    { ...view, columns: columns - mark.length },
    colors,
  );
  const [head = '', ...rows] = lines;
  return {
    head: [...wrapLines(describeList(view, leftOut), columns), `${noMark}${head}`],
    rows: rows.map((row, index) =>
      index === choice.selected?.at ? colors.inverse(`${mark}${row}`) : `${noMark}${row}`,
    ),
  };
}

function describeList({ sessions, choice }: ScreenView, leftOut: readonly string[]): string {
  const { order } = choice;
  const count = `${sessions.length} ${sessions.length === 1 ? 'session' : 'sessions'}`;
  const sorted =
    order === null
      ? 'blocked and idle in transaction first'
      : `sorted by ${order.column} ${order.isDescending ? '▼' : '▲'}`;
  return [
    `${count}, ${sorted}`,
    ...(leftOut.length === 0 ? [] : [`a wider window shows ${leftOut.join(', ')}`]),
  ].join('; ');
}

function footOf({ report }: ActivityModel, view: ScreenView): readonly string[] {
  const { choice, columns, place } = view;
  const colors = pc.createColors(view.isColored);
  const { question, notice } = choice;
  if (question === null || report === null)
    return [
      '',
      ...(notice === '' ? [] : wrapLines(notice, columns)),
      ...wrapLines(keysHint, columns).map((line) => colors.dim(line)),
    ];
  const { session, isAsAsked } = asSeenNow(question, report);
  const { title, lines } = askEnding(session, question.action, { report, ...place });
  return [
    '',
    ...wrapLines(title, columns).map((line) => colors.bold(line)),
    ...(isAsAsked ? [] : wrapLines(`As it was at ${timeOfDay(question.seenAt)}:`, columns)),
    ...lines.flatMap((line) => wrapLines(line, columns)),
    ...wrapLines(
      `Press y to ${question.action}, any other key to leave it as it is. [y/N]`,
      columns,
    ),
  ];
}

/** The question's session with the ages of the last sample, as the table above shows it, while it does what it did when the question was asked. */
function asSeenNow(
  { session: asked }: Question,
  { sessions }: ActivityReport,
): { readonly session: Session; readonly isAsAsked: boolean } {
  const now = sessions.find((each) => sessionKey(each) === sessionKey(asked));
  const isAsAsked = now !== undefined && now.state === asked.state && now.query === asked.query;
  return { session: isAsAsked ? now : asked, isAsAsked };
}

function helpLines(columns: number): readonly string[] {
  const width = Math.max(...keysHelp.map(([keys]) => keys.length)) + 2;
  return [
    ...keysHelp.flatMap(([keys, what]) =>
      wrapLines(`${keys.padEnd(width)}${what}`, columns, width),
    ),
    '',
    'Press any key to return.',
  ];
}

/** A word that is wider than the screen is cut. */
function wrapLines(text: string, columns: number, hang = 0): readonly string[] {
  return wrapWords(text, columns, hang)
    .split('\n')
    .map((line) => cutToWidth(line, columns));
}
