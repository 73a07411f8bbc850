import { intervals } from '../activity/snapshot.ts';
import { nextOrder, sessionColumns, type SessionOrder } from '../activity/session-list.ts';

/** What somebody who watches can change by keys. */
export interface WatchChoice {
  readonly intervalSeconds: number;
  readonly isPaused: boolean;
  readonly listsAll: boolean;
  /** Null for what is blocked or idle in a transaction first. */
  readonly order: SessionOrder | null;
}

/** The line that teaches them. */
export const keysHelp =
  'p pause  +/- interval  s sort by  r reverse  a all sessions  l look now  q quit';

export type KeyAnswer =
  | { readonly kind: 'choice'; readonly choice: WatchChoice }
  | { readonly kind: 'quit' }
  | { readonly kind: 'look' }
  | { readonly kind: 'nothing' };

/** What a key does. Ctrl-C is a key like any other while keys are read one by one. */
export function pressKey(key: string, choice: WatchChoice): KeyAnswer {
  if (key === 'q' || key === '\u0003' || key === '\u0004') return { kind: 'quit' };
  if (key === 'l') return { kind: 'look' };
  const change = changes.get(key)?.(choice);
  return change === undefined
    ? { kind: 'nothing' }
    : { kind: 'choice', choice: { ...choice, ...change } };
}

const changes: ReadonlyMap<string, (choice: WatchChoice) => Partial<WatchChoice>> = new Map([
  ['p', togglePause],
  [' ', togglePause],
  [
    '+',
    ({ intervalSeconds }: WatchChoice) => ({
      intervalSeconds: intervals.find((each) => each > intervalSeconds) ?? intervalSeconds,
    }),
  ],
  [
    '-',
    ({ intervalSeconds }: WatchChoice) => ({
      intervalSeconds: intervals.findLast((each) => each < intervalSeconds) ?? intervalSeconds,
    }),
  ],
  ['s', ({ order }: WatchChoice) => ({ order: nextColumn(order) })],
  [
    'r',
    ({ order }: WatchChoice) => ({
      order: order === null ? null : { ...order, isDescending: !order.isDescending },
    }),
  ],
  ['a', ({ listsAll }: WatchChoice) => ({ listsAll: !listsAll })],
]);

function togglePause({ isPaused }: WatchChoice): Partial<WatchChoice> {
  return { isPaused: !isPaused };
}

/** Through all columns, then back to what is urgent first. */
function nextColumn(order: SessionOrder | null): SessionOrder | null {
  const column = sessionColumns[order === null ? 0 : sessionColumns.indexOf(order.column) + 1];
  return column === undefined ? null : toOrder(column);
}

/** The direction that a column has at first: ages show the oldest first. */
export function toOrder(column: SessionOrder['column']): SessionOrder {
  const other = column === 'pid' ? 'state' : 'pid';
  return nextOrder({ column: other, isDescending: false }, column);
}
