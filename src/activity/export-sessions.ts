import { toJson } from '../text/to-json.ts';
import { describeAge } from './age.ts';
import { csvText, markdownCode, markdownText } from './export-text.ts';
import { toPlainText } from './plain-text.ts';
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

/**
 * The sessions, which are of that report and in the order to be told, as text to paste or to save.
 * JSON has the shape of `poolguard activity --json`, so that `headroom` counts sessions that the list may leave out.
 */
export function exportSessions(
  report: ActivityReport,
  sessions: readonly Session[],
  { format, statements }: ExportOptions,
): string {
  const told = sessions.map((session) => ({
    ...session,
    query: tellStatement(session.query, statements),
  }));
  return writers[format]({ ...report, sessions: told });
}

/** One session in one line without the literals of its statement, to show to somebody else: "pid 4711, api, app@shop from 10.0.0.1:50000, idle for 3 s: select ?". */
export function describeSession(session: Session): string {
  const {
    pid,
    application,
    user,
    database,
    clientAddress,
    clientPort,
    stateAgeMs,
    transactionAgeMs,
    blockedBy,
    query,
  } = session;
  const parts = [
    `pid ${pid}`,
    toPlainText(application),
    toPlainText(
      `${user ?? ''}@${database ?? ''}${clientAddress === null ? '' : ` from ${clientAddress}${clientPort === null ? '' : `:${clientPort}`}`}`,
    ),
    `${stateText(session)}${stateAgeMs === null ? '' : ` for ${describeAge(stateAgeMs)}`}`,
    transactionAgeMs === null ? '' : `transaction open for ${describeAge(transactionAgeMs)}`,
    toPlainText(waitText(session)),
    blockedBy.length === 0 ? '' : `blocked by ${blockersText(session)}`,
  ];
  return `${parts.filter((part) => part !== '').join(', ')}${query === '' ? '' : `: ${tellStatement(query, 'redacted')}`}`;
}

const writers: Readonly<Record<ExportFormat, (report: ActivityReport) => string>> = {
  json: (report) => `${toJson(report, 2)}\n`,
  csv: toCsv,
  markdown: toMarkdown,
};

/** As it was chosen; a long one that is redacted is cut. */
export function tellStatement(query: string, statements: StatementChoice): string {
  if (statements === 'none') return '';
  return statements === 'whole'
    ? query
    : redactSql(query.slice(0, longestRedacted), longestRedacted);
}

const csvColumns: readonly (readonly [
  title: string,
  value: (session: Session) => string | number | null,
])[] = [
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

function toCsv({ sessions }: ActivityReport): string {
  return csvText([
    csvColumns.map(([title]) => title),
    ...sessions.map((session) => csvColumns.map(([, value]) => value(session))),
  ]);
}

const markdownColumns: readonly (readonly [title: string, cell: (session: Session) => string])[] = [
  ['pid', ({ pid }) => String(pid)],
  ['state', stateText],
  ['in state', ({ stateAgeMs }) => age(stateAgeMs)],
  [
    'application',
    ({ application, isOwn }) => `${markdownText(application)}${isOwn ? ' (Poolguard)' : ''}`,
  ],
  ['user', ({ user }) => markdownText(user)],
  ['database', ({ database }) => markdownText(database)],
  ['client', (session) => markdownText(clientText(session))],
  ['wait', (session) => markdownText(waitText(session))],
  ['transaction', ({ transactionAgeMs }) => age(transactionAgeMs)],
  ['blocked by', blockersText],
  ['statement', ({ query }) => markdownCode(query)],
];

function toMarkdown({
  takenAt,
  server,
  headroom: { used, usable },
  sessions,
}: ActivityReport): string {
  const { user, host, port, database, version } = server;
  const place = `${markdownText(user)}\\@${markdownText(host)}:${port}/${markdownText(database)}`;
  const head = `PostgreSQL ${markdownText(version)} at ${place}, ${markdownText(takenAt)}: ${used} of ${usable} usable connections used, ${sessions.length} listed.`;
  const rows = [
    markdownColumns.map(([title]) => title),
    markdownColumns.map(() => '---'),
    ...sessions.map((session) => markdownColumns.map(([, cell]) => cell(session))),
  ];
  return `${head}\n\n${rows.map((row) => `| ${row.join(' | ')} |\n`).join('')}`;
}

function age(milliseconds: number | null): string {
  return milliseconds === null ? '' : describeAge(milliseconds);
}
