import { tellStatement, type StatementChoice } from '../activity/export-sessions.ts';
import { tabbedText } from '../activity/export-text.ts';
import type { SessionColumn } from '../activity/session-list.ts';
import type { Session } from '../activity/snapshot.ts';
import { columns } from './grid-columns.ts';

/** Sessions as the table shows them, to paste elsewhere: rows below their titles, with tabs between the cells; a single cell as it is. */
export function rowsText(
  sessions: readonly Session[],
  ids: readonly SessionColumn[],
  statements: StatementChoice,
): string {
  const chosen = columns.filter(({ id }) => ids.includes(id));
  const rows = sessions.map((session) => {
    const told = { ...session, query: tellStatement(session.query, statements) };
    return chosen.map((column) => column.text(told));
  });
  const [first] = rows;
  return rows.length === 1 && first?.length === 1
    ? first.join('')
    : tabbedText([chosen.map(({ title }) => title), ...rows]);
}
