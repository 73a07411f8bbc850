import type { SessionColumn } from '../activity/session-list.ts';
import { blockersText, stateText, waitText } from '../activity/session-state.ts';
import type { Session } from '../activity/snapshot.ts';
import { line } from './database-text.ts';
import { formatAge } from './format.ts';

export interface Column {
  readonly id: SessionColumn;
  readonly title: string;
  /** What the title leaves out. */
  readonly hint: string;
  /** A track of a CSS grid. */
  readonly width: string;
  /** Right-aligned. */
  readonly isNumeric: boolean;
  text(session: Session): string;
}

const text = (
  id: SessionColumn,
  title: string,
  width: string,
  of: (session: Session) => string,
  hint = '',
): Column => ({ id, title, hint, width, isNumeric: false, text: (session) => line(of(session)) });
const age = (
  id: SessionColumn,
  title: string,
  width: string,
  hint: string,
  of: (session: Session) => number | null,
): Column => ({
  id,
  title,
  hint,
  width,
  isNumeric: true,
  text: (session) => formatAge(of(session)),
});

export const columns: readonly Column[] = [
  {
    id: 'pid',
    title: 'pid',
    hint: 'Process of the server',
    width: '60px',
    isNumeric: true,
    text: ({ pid }) => String(pid),
  },
  text('state', 'state', '150px', stateText),
  age(
    'state-age',
    'in state',
    '66px',
    'Time since the last change of state',
    ({ stateAgeMs }) => stateAgeMs,
  ),
  text('application', 'application', 'minmax(96px, 0.6fr)', ({ application, isOwn }) =>
    isOwn ? `${application} (Poolguard’s own)` : application,
  ),
  text('user', 'user', 'minmax(52px, 0.25fr)', ({ user }) => user ?? ''),
  text('database', 'database', 'minmax(72px, 0.25fr)', ({ database }) => database ?? ''),
  text(
    'wait',
    'wait',
    'minmax(76px, 0.8fr)',
    waitText,
    'Waits for Lock, LWLock and BufferPin only: idle clients are not shown as waiting',
  ),
  age(
    'transaction-age',
    'txn age',
    '76px',
    'Time since the transaction began',
    ({ transactionAgeMs }) => transactionAgeMs,
  ),
  age(
    'query-age',
    'query age',
    '80px',
    'Time since the last statement began',
    ({ queryAgeMs }) => queryAgeMs,
  ),
  text('blocked-by', 'blocked by', 'minmax(76px, 0.2fr)', blockersText),
  text(
    'query',
    'query',
    'minmax(150px, 4fr)',
    ({ query }) => query,
    'The last statement; unfold a row to see all of it',
  ),
];
