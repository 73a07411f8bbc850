import {
  describeEnding,
  refuseEnding,
  runsStatement,
  type EndingAction,
  type EndingOutcome,
} from '../activity/ending-words.ts';
import { nextOrder, sessionColumns, type SessionOrder } from '../activity/session-list.ts';
import { intervals, sessionKey, type Session } from '../activity/snapshot.ts';
import { sessionFields } from './session-table.ts';

/** What somebody who watches can change by keys. */
export interface WatchChoice {
  readonly intervalSeconds: number;
  readonly isPaused: boolean;
  readonly listsAll: boolean;
  /** Null for what is blocked or idle in a transaction first. */
  readonly order: SessionOrder | null;
  readonly selected: Selected | null;
  readonly question: Question | null;
  /** A sentence about what the last key did; empty for none. */
  readonly notice: string;
  readonly showsHelp: boolean;
}

/** A session of the list that is shown. */
export interface Selected {
  /** `sessionKey`. */
  readonly key: string;
  readonly at: number;
}

/** Asked before a session is ended. Only a clear yes counts. */
export interface Question {
  readonly action: EndingAction;
  /** As it was seen when the question was asked, which is what the answer is about. */
  readonly session: Session;
  readonly seenAt: string;
}

/** What the keys are about. */
export interface Watched {
  /** In the order of the list. */
  readonly sessions: readonly Session[];
  /** When they were seen; null before the first sample. */
  readonly takenAt: string | null;
  /** How many of them the screen shows. */
  readonly page: number;
}

/** One line for the foot of the screen. */
export const keysHint =
  '↑↓ select  c cancel statement  k terminate session  s sort  p pause  ? all keys  q quit';

/** All keys, for the page that `?` opens: a row each. */
export const keysHelp: readonly (readonly [keys: string, what: string])[] = [
  ['↑ ↓', 'move the selection'],
  ['PgUp PgDn Home End', 'move by a page, to the first, to the last'],
  ['c', 'cancel the statement of the selected session, after a question'],
  ['k or t', 'terminate the selected session, after a question'],
  ['s or → ←', 'sort by the next or the previous column'],
  [`1 … ${sessionFields.length}`, 'sort by that column of the table; again to reverse'],
  ['r', 'reverse the order'],
  ['a', 'list idle, hidden and own sessions too, or not'],
  ['p or Space', 'pause (closes the connection) and go on'],
  ['+ -', 'longer or shorter refresh interval'],
  ['l', 'take a sample now'],
  ['q or Ctrl-C', 'quit'],
];

export type KeyAnswer =
  | { readonly kind: 'choice'; readonly choice: WatchChoice }
  | { readonly kind: 'quit' }
  | { readonly kind: 'look' }
  /** The question was answered with yes. */
  | { readonly kind: 'end'; readonly question: Question; readonly choice: WatchChoice }
  | { readonly kind: 'nothing' };

type Change = (choice: WatchChoice, watched: Watched) => Partial<WatchChoice>;

/** What a key does. Ctrl-C is a key like any other while keys are read one by one. */
export function pressKey(key: string, choice: WatchChoice, watched: Watched): KeyAnswer {
  if (key === '\u0003' || key === '\u0004') return { kind: 'quit' };
  if (choice.question !== null) return answerQuestion(key, choice, choice.question);
  if (choice.showsHelp) return { kind: 'choice', choice: { ...choice, showsHelp: false } };
  if (key === 'q') return { kind: 'quit' };
  if (key === 'l') return { kind: 'look' };
  const change = changes.get(key)?.(choice, watched);
  return change === undefined
    ? { kind: 'nothing' }
    : { kind: 'choice', choice: { ...choice, notice: '', ...change } };
}

/** The selection in another list: the same session wherever it stands, or, where it has ended, what took its place. */
export function followSelected(
  sessions: readonly Session[],
  selected: Selected | null,
): Selected | null {
  if (selected === null) return null;
  const at = sessions.findIndex((session) => sessionKey(session) === selected.key);
  return selectAt(sessions, at === -1 ? selected.at : at);
}

/** The direction that a column has at first: ages show the oldest first. */
export function toOrder(column: SessionOrder['column']): SessionOrder {
  const other = column === 'pid' ? 'state' : 'pid';
  return nextOrder({ column: other, isDescending: false }, column);
}

function answerQuestion(key: string, choice: WatchChoice, question: Question): KeyAnswer {
  const closed = { ...choice, question: null };
  if (key !== 'y' && key !== 'Y')
    return { kind: 'choice', choice: { ...closed, notice: 'Nothing was done.' } };
  const { pid } = question.session;
  const notice =
    question.action === 'cancel'
      ? `Cancelling the statement of session ${pid} …`
      : `Terminating session ${pid} …`;
  return { kind: 'end', question, choice: { ...closed, notice } };
}

const changes: ReadonlyMap<string, Change> = new Map<string, Change>([
  ['p', togglePause],
  [' ', togglePause],
  [
    '+',
    ({ intervalSeconds }) => ({
      intervalSeconds: intervals.find((each) => each > intervalSeconds) ?? intervalSeconds,
    }),
  ],
  [
    '-',
    ({ intervalSeconds }) => ({
      intervalSeconds: intervals.findLast((each) => each < intervalSeconds) ?? intervalSeconds,
    }),
  ],
  ...sequences('s', '\u001B[C', '\u001BOC').map(sortBy(1)),
  ...sequences('\u001B[D', '\u001BOD').map(sortBy(-1)),
  ...sessionFields.map(({ sort }, index): [string, Change] => [
    String(index + 1),
    ({ order }) => ({ order: order?.column === sort ? nextOrder(order, sort) : toOrder(sort) }),
  ]),
  [
    'r',
    ({ order }) => ({
      order: order === null ? null : { ...order, isDescending: !order.isDescending },
    }),
  ],
  ['a', ({ listsAll }) => ({ listsAll: !listsAll })],
  ['?', () => ({ showsHelp: true })],
  ['c', ask('cancel')],
  ['k', ask('terminate')],
  ['t', ask('terminate')],
  ...sequences('\u001B[A', '\u001BOA').map(moveTo((at) => at - 1)),
  ...sequences('\u001B[B', '\u001BOB').map(moveTo((at) => at + 1)),
  ...sequences('\u001B[5~').map(moveTo((at, { page }) => at - page)),
  ...sequences('\u001B[6~').map(moveTo((at, { page }) => Math.max(at, 0) + page)),
  ...sequences('\u001B[H', '\u001BOH', '\u001B[1~', '\u001B[7~').map(moveTo(() => 0)),
  ...sequences('\u001B[F', '\u001BOF', '\u001B[4~', '\u001B[8~').map(
    moveTo((_, { sessions }) => sessions.length - 1),
  ),
]);

/** What terminals send for one and the same key. */
function sequences(...all: readonly string[]): readonly string[] {
  return all;
}

function togglePause({ isPaused }: WatchChoice): Partial<WatchChoice> {
  return { isPaused: !isPaused };
}

function sortBy(step: 1 | -1): (key: string) => [string, Change] {
  return (key) => [key, ({ order }) => ({ order: nextColumn(order, step) })];
}

function moveTo(to: (at: number, watched: Watched) => number): (key: string) => [string, Change] {
  return (key) => [
    key,
    ({ selected }, watched) => {
      const wanted = to(selected?.at ?? -1, watched);
      return { selected: selectAt(watched.sessions, wanted) };
    },
  ];
}

/** The session at that place, or at the end of the list that is nearer; null in an empty one. */
function selectAt(sessions: readonly Session[], wanted: number): Selected | null {
  const at = Math.max(0, Math.min(sessions.length - 1, wanted));
  const session = sessions[at];
  return session === undefined ? null : { key: sessionKey(session), at };
}

/** Opens the question, or says why there is none. */
function ask(action: EndingAction): Change {
  return ({ selected }, { sessions, takenAt }) => {
    const session = sessions.find((each) => sessionKey(each) === selected?.key);
    if (session === undefined || takenAt === null)
      return { notice: 'No session is selected: select one with the arrow keys.' };
    const refusal = whyNot(action, session);
    return refusal === null
      ? { question: { action, session, seenAt: takenAt } }
      : { notice: describeEnding(refusal, action, session).sentence };
  };
}

function whyNot(action: EndingAction, session: Session): EndingOutcome | null {
  const refusal = refuseEnding(session);
  return refusal === null && action === 'cancel' && !runsStatement(session)
    ? { kind: 'runs-nothing' }
    : refusal;
}

/** Through all columns, then back to what is urgent first. */
function nextColumn(order: SessionOrder | null, step: 1 | -1): SessionOrder | null {
  const places = [null, ...sessionColumns];
  const at = places.indexOf(order?.column ?? null) + step;
  const column = places.at(at % places.length) ?? null;
  return column === null ? null : toOrder(column);
}
