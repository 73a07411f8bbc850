import { env, window } from 'vscode';
import {
  describeSession,
  exportSessions,
  type ExportFormat,
  type ExportOptions,
  type StatementChoice,
} from '../../activity/export-sessions.ts';
import {
  defaultListChoice,
  listSessions,
  type SessionListChoice,
} from '../../activity/session-list.ts';
import { type ActivityReport, type Session, sessionKey } from '../../activity/snapshot.ts';
import { count } from '../../webview/format.ts';
import type { ExportPlace, FromView } from '../../webview/from-view.ts';
import { rowsText } from '../../webview/rows-text.ts';
import { saveText } from '../save-text.ts';
import type { LiveActivity } from './live-activity.ts';

interface Choice<Value> {
  readonly label: string;
  readonly description?: string;
  readonly value: Value;
}

const formats: readonly Choice<ExportFormat>[] = [
  { label: 'Markdown', description: 'a table for an issue or a chat', value: 'markdown' },
  { label: 'CSV', description: 'for a spreadsheet; ages in milliseconds', value: 'csv' },
  { label: 'JSON', description: 'the format of poolguard activity --json', value: 'json' },
];

const statements: readonly Choice<StatementChoice>[] = [
  {
    label: 'Without literals',
    description: 'replaces strings and numbers with ?, removes comments',
    value: 'redacted',
  },
  { label: 'With literals', description: 'keeps all values', value: 'whole' },
  { label: 'Without statements', value: 'none' },
];

const places: readonly Choice<ExportPlace>[] = [
  { label: 'Save to a file…', value: 'file' },
  { label: 'Copy to the clipboard', value: 'clipboard' },
];

const endings: Readonly<Record<ExportFormat, string>> = {
  markdown: 'md',
  csv: 'csv',
  json: 'json',
};

export interface ExportRequest {
  /** Asked for when not said. */
  readonly to?: ExportPlace;
  /** All sessions when not said. */
  readonly list?: SessionListChoice;
}

export async function copySession(session: Session): Promise<void> {
  await env.clipboard.writeText(describeSession(session));
}

/** Sessions that are gone are left out. */
export async function copySessions(
  seen: readonly Session[],
  { keys, columns, statements }: Extract<FromView, { kind: 'copy' }>,
): Promise<void> {
  const byKey = new Map(seen.map((session) => [sessionKey(session), session]));
  const sessions = keys.flatMap((key) => byKey.get(key) ?? []);
  if (sessions.length === 0) return;
  await env.clipboard.writeText(rowsText(sessions, columns, statements));
  const what = columns.length === 1 ? 'Cell' : count(sessions.length, 'session');
  const without = statements === 'redacted' ? ' without literals' : '';
  window.setStatusBarMessage(`$(check) ${what} copied${without}`, 4_000);
}

/** Asks how to tell the sessions of the last sample, and where to; nothing is written when one of the questions is dismissed. */
export async function exportSessionsCommand(
  { activity: { report } }: LiveActivity,
  { to, list = defaultListChoice }: ExportRequest = {},
): Promise<void> {
  if (report === null)
    return void window.showInformationMessage(
      'Nothing to export yet. Connect to a database and open the Poolguard sidebar.',
    );
  // What was on the screen when it was asked for, however long the answers take.
  const sessions = listSessions(report.sessions, list);
  const title = `Export ${sessions.length} of ${report.sessions.length} sessions`;
  const format = await choose(title, 'Format', formats);
  const told = format && (await choose(title, 'Statements', statements));
  const place = told && (to ?? (await choose(title, 'Where to', places)));
  if (format === undefined || told === undefined || place === undefined) return;
  const options: ExportOptions = { format, statements: told };
  const text = exportSessions(report, sessions, options);
  if (place === 'file') return saveExport(text, format, report);
  await env.clipboard.writeText(text);
  window.setStatusBarMessage(`$(check) ${sessions.length} sessions copied`, 4_000);
}

async function choose<Value>(
  title: string,
  placeHolder: string,
  choices: readonly Choice<Value>[],
): Promise<Value | undefined> {
  // A page that is asked from gets the focus back late when the window is busy.
  return (await window.showQuickPick(choices, { title, placeHolder, ignoreFocusOut: true }))?.value;
}

function saveExport(
  text: string,
  format: ExportFormat,
  { takenAt }: ActivityReport,
): Promise<void> {
  const ending = endings[format];
  return saveText({
    text,
    name: `sessions-${takenAt.slice(0, 19).replace(/[^\d]+/g, '-')}.${ending}`,
    ending,
    format,
    what: 'The sessions',
  });
}
