import { describeAge } from './age.ts';
import { shorten, toPlainLines, toPlainText } from './plain-text.ts';
import { redactSql } from './redact-sql.ts';
import { blockersText, clientText, stateText, waitText } from './session-state.ts';
import type { ActivityReport, Session } from './snapshot.ts';

export const exportFormats = ['markdown', 'csv', 'json'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const statementChoices = ['redacted', 'whole', 'none'] as const;
/** How statements are told: without literals and comments, as they are, or not at all. */
export type StatementChoice = (typeof statementChoices)[number];

export interface ExportOptions {
  readonly format: ExportFormat;
  readonly statements: StatementChoice;
}

/** A statement of 1 MB would take seconds to redact, and nobody reads it. */
const longestRedacted = 20_000;
const longestInTable = 300;

/**
 * The sessions, which are of that report and in the order to be told, as text to paste or to save.
 * JSON has the shape of `poolguard activity --json`, so that `headroom` counts sessions that the list may leave out.
 */
export function exportSessions(report: ActivityReport, sessions: readonly Session[], { format, statements }: ExportOptions): string {
  const told = sessions.map((session) => ({ ...session, query: tellStatement(session.query, statements) }));
  return writers[format]({ ...report, sessions: told });
}

/** One session in one line, as it is told to somebody else: "pid 4711, api, app@shop from 10.0.0.1:50000, idle for 3 s: SELECT 1". */
export function describeSession(session: Session): string {
  const { pid, application, user, database, clientAddress, clientPort, stateAgeMs, transactionAgeMs, blockedBy, query } = session;
  const parts = [
    `pid ${pid}`,
    toPlainText(application),
    toPlainText(`${user ?? ''}@${database ?? ''}${clientAddress === null ? '' : ` from ${clientAddress}${clientPort === null ? '' : `:${clientPort}`}`}`),
    `${stateText(session)}${stateAgeMs === null ? '' : ` for ${describeAge(stateAgeMs)}`}`,
    transactionAgeMs === null ? '' : `transaction open for ${describeAge(transactionAgeMs)}`,
    toPlainText(waitText(session)),
    blockedBy.length === 0 ? '' : `blocked by ${blockersText(session)}`,
  ];
  return `${parts.filter((part) => part !== '').join(', ')}${query === '' ? '' : `: ${toPlainText(query).trim()}`}`;
}

const writers: Readonly<Record<ExportFormat, (report: ActivityReport) => string>> = { json: toJson, csv: toCsv, markdown: toMarkdown };

function tellStatement(query: string, statements: StatementChoice): string {
  if (statements === 'none') return '';
  return statements === 'whole' ? query : redactSql(query.slice(0, longestRedacted), longestRedacted);
}

/** JSON escapes control characters by itself; what reorders text or ends lines in some readers is escaped as well. */
function toJson(report: ActivityReport): string {
  const escaped = JSON.stringify(report, null, 2).replace(/[\u007F-\u009F\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069\uFEFF]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `${escaped}\n`;
}

const csvColumns: readonly (readonly [title: string, value: (session: Session) => string | number | null])[] = [
  ['pid', ({ pid }) => pid],
  ['state', ({ state }) => state],
  ['state_age_ms', ({ stateAgeMs }) => stateAgeMs],
  ['application', ({ application }) => application],
  ['user', ({ user }) => user],
  ['database', ({ database }) => database],
  ['client_address', ({ clientAddress }) => clientAddress],
  ['client_port', ({ clientPort }) => clientPort],
  ['backend_start', ({ backendStart }) => backendStart],
  ['wait', waitText],
  ['transaction_age_ms', ({ transactionAgeMs }) => transactionAgeMs],
  ['query_age_ms', ({ queryAgeMs }) => queryAgeMs],
  ['blocked_by', ({ blockedBy }) => blockedBy.join(' ')],
  ['is_own', ({ isOwn }) => String(isOwn)],
  ['statement', ({ query }) => query],
];

/** RFC 4180, with a header. */
function toCsv({ sessions }: ActivityReport): string {
  const rows = [csvColumns.map(([title]) => title), ...sessions.map((session) => csvColumns.map(([, value]) => csvCell(value(session))))];
  return rows.map((row) => `${row.join(',')}\r\n`).join('');
}

/** A spreadsheet takes text that begins with one of these for a formula; an apostrophe before it makes it text. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/u;

function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = `${formula.test(value) ? "'" : ''}${toPlainLines(value)}`;
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const markdownColumns: readonly (readonly [title: string, cell: (session: Session) => string])[] = [
  ['pid', ({ pid }) => String(pid)],
  ['state', stateText],
  ['in state', ({ stateAgeMs }) => age(stateAgeMs)],
  ['application', ({ application, isOwn }) => `${markdownText(application)}${isOwn ? ' (Poolguard)' : ''}`],
  ['user', ({ user }) => markdownText(user)],
  ['database', ({ database }) => markdownText(database)],
  ['client', (session) => markdownText(clientText(session))],
  ['wait', (session) => markdownText(waitText(session))],
  ['transaction', ({ transactionAgeMs }) => age(transactionAgeMs)],
  ['blocked by', blockersText],
  ['statement', ({ query }) => markdownCode(query)],
];

function toMarkdown({ takenAt, server, headroom: { used, usable }, sessions }: ActivityReport): string {
  const { user, host, port, database, version } = server;
  const place = `${markdownText(user)}\\@${markdownText(host)}:${port}/${markdownText(database)}`;
  const head = `PostgreSQL ${markdownText(version)} at ${place}, ${markdownText(takenAt)}: ${used} of ${usable} usable connections used, ${sessions.length} listed.`;
  const rows = [markdownColumns.map(([title]) => title), markdownColumns.map(() => '---'), ...sessions.map((session) => markdownColumns.map(([, cell]) => cell(session)))];
  return `${head}\n\n${rows.map((row) => `| ${row.join(' | ')} |\n`).join('')}`;
}

function age(milliseconds: number | null): string {
  return milliseconds === null ? '' : describeAge(milliseconds);
}

/** Where a reader would begin a link, which swallows the marks that follow, stands a mark as well. */
function markdownText(value: string | null): string {
  return shorten(toPlainText(value ?? '').trim(), longestInTable).replace(/[\\`*_{}[\]<>#|~&!$@]|:(?=\/)|(?<=www)\./gi, '\\$&');
}

/**
 * In backticks, more of them than stand together anywhere in the text; a bar would end the cell even there.
 * What a backslash before a bar means is where readers differ, so that such a text has its marks escaped instead.
 */
function markdownCode(value: string): string {
  const text = shorten(toPlainText(value).trim(), longestInTable);
  if (text === '' || text.includes('\\|')) return markdownText(value);
  const longestRun = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longestRun + 1);
  const space = /^`|`$/.test(text) ? ' ' : '';
  return `${fence}${space}${text.replaceAll('|', '\\|')}${space}${fence}`;
}
