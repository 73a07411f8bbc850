import type { SessionColumn } from '../activity/session-list.ts';
import { blockersText, runningMs, stateText, waitText } from '../activity/session-state.ts';
import type { Session } from '../activity/snapshot.ts';
import type { ColumnLayout } from './column-layout.ts';
import { formatAge } from './format.ts';

export interface Column {
  readonly id: SessionColumn;
  readonly title: string;
  /** What the title leaves out. */
  readonly hint: string;
  /** In pixels: all of it, or what it has at least before it takes its share of what is left. */
  readonly width: number;
  /** Of the width that is left; 0 for none. */
  readonly share: number;
  /** Right-aligned. */
  readonly isNumeric: boolean;
  /** All of it, as hostile as the database tells it. */
  text(session: Session): string;
}

const text = (
  id: SessionColumn,
  title: string,
  [width, share]: readonly [width: number, share: number],
  of: (session: Session) => string,
  hint = '',
): Column => ({ id, title, hint, width, share, isNumeric: false, text: of });
const age = (
  id: SessionColumn,
  title: string,
  width: number,
  hint: string,
  of: (session: Session) => number | null,
): Column => ({
  id,
  title,
  hint,
  width,
  share: 0,
  isNumeric: true,
  text: (session) => formatAge(of(session)),
});

export const columns: readonly Column[] = [
  {
    id: 'pid',
    title: 'pid',
    hint: 'Process of the server',
    width: 60,
    share: 0,
    isNumeric: true,
    text: ({ pid }) => String(pid),
  },
  text('state', 'state', [150, 0], stateText),
  age(
    'state-age',
    'in state',
    66,
    'Time since the last change of state',
    ({ stateAgeMs }) => stateAgeMs,
  ),
  text('application', 'application', [96, 60], ({ application, isOwn }) =>
    isOwn ? `${application} (Poolguard’s own)` : application,
  ),
  text('user', 'user', [52, 25], ({ user }) => user ?? ''),
  text('database', 'database', [72, 25], ({ database }) => database ?? ''),
  text(
    'wait',
    'wait',
    [76, 80],
    waitText,
    'Waits for Lock, LWLock and BufferPin only: idle clients are not shown as waiting',
  ),
  age(
    'transaction-age',
    'txn age',
    76,
    'Time since the transaction began',
    ({ transactionAgeMs }) => transactionAgeMs,
  ),
  age('query-age', 'query age', 80, 'Time since the running statement began', runningMs),
  text('blocked-by', 'blocked by', [76, 20], blockersText),
  text(
    'query',
    'query',
    [150, 400],
    ({ query }) => query,
    'The last statement; unfold a row to see all of it',
  ),
];

/** Those that are shown, the tracks of a CSS grid that hold them, and the width that they take at least. */
export function layOut({ widths, hidden }: ColumnLayout): {
  readonly shown: readonly Column[];
  readonly tracks: string;
  readonly least: number;
} {
  const shown = columns.filter(({ id }) => !hidden.includes(id));
  const track = ({ id, width, share }: Column): string =>
    widths[id] === undefined && share > 0
      ? `minmax(${width}px, ${share}fr)`
      : `${widths[id] ?? width}px`;
  return {
    shown,
    tracks: shown.map(track).join(' '),
    least: shown.reduce((sum, { id, width }) => sum + (widths[id] ?? width), 0),
  };
}
