import markdown from '@eslint/markdown';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  describeSession,
  exportSessions,
  statementChoices,
  type ExportFormat,
  type StatementChoice,
} from '../../../src/activity/export-sessions.ts';
import { shorten, toPlainLines, toPlainText } from '../../../src/activity/plain-text.ts';
import type { Session } from '../../../src/activity/snapshot.ts';
import { escapeHidden } from '../../../src/text/hidden.ts';
import { aReport, aSession } from '../../support/a-session.ts';
import {
  hostileText,
  hostileTexts,
  rawHidden,
  textWithHidden,
} from '../../support/hostile-text.ts';

const secret = "UPDATE users SET password = 'hunter2' WHERE id = 7";

function exported(
  sessions: readonly Session[],
  format: ExportFormat,
  statements: StatementChoice = 'whole',
): string {
  return exportSessions(aReport(sessions), sessions, { format, statements });
}

describe('statements', () => {
  test.each<[ExportFormat]>([['json'], ['csv'], ['markdown']])(
    '%s without literals, as they are, or not at all',
    (format) => {
      const of = (statements: StatementChoice): string =>
        exported([aSession({ query: secret })], format, statements);
      expect(of('redacted')).toContain('update users set password = ? where id = ?');
      expect(of('redacted')).not.toContain('hunter2');
      expect(of('whole')).toContain(secret);
      expect(of('none')).not.toContain('users');
    },
  );

  test('one of a megabyte is redacted, and tells nothing of what follows the cut', () => {
    const query = `SELECT '${'x'.repeat(1_000_000)}secret'`;
    expect(exported([aSession({ query })], 'json', 'redacted')).toContain('"query": "select …"');
  });
});

test('one session in one line', () => {
  expect(
    describeSession(aSession({ pid: 4711, stateAgeMs: 3_000, query: "SELECT a,\n  'b'" })),
  ).toBe('pid 4711, api, app@shop from 10.0.0.1:50000, idle for 3.0 s: select a, ?');
  expect(
    describeSession(
      aSession({
        state: 'active',
        isWaiting: true,
        waitEventType: 'Lock',
        waitEvent: 'tuple',
        blockedBy: [0, 7],
        application: '',
        clientAddress: null,
        transactionAgeMs: 5,
        query: '',
      }),
    ),
  ).toBe(
    'pid 1, app@shop, waiting for 10 ms, transaction open for 5 ms, Lock: tuple, blocked by prepared transaction, 7',
  );
});

test.each<[ExportFormat]>([['json'], ['csv'], ['markdown']])(
  '%s has no character that hides, however statements are told',
  (format) => {
    fc.assert(
      fc.property(textWithHidden, fc.constantFrom(...statementChoices), (text, statements) => {
        expect(
          exported(
            [aSession({ application: text, user: text, query: `SELECT "${text}"` })],
            format,
            statements,
          ),
        ).not.toMatch(rawHidden);
      }),
    );
  },
);

describe('JSON', () => {
  test('has the shape of the report, and only the sessions of the list', () => {
    const [first, second] = [aSession({ pid: 1 }), aSession({ pid: 2 })];
    const report = aReport([first, second]);
    expect(
      JSON.parse(exportSessions(report, [second], { format: 'json', statements: 'whole' })),
    ).toEqual({ ...report, sessions: [second] });
  });

  test('is read back as it was, and nothing hides in it', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const json = exported([aSession({ application: text, query: text })], 'json');
        expect(JSON.parse(json)).toMatchObject({ sessions: [{ application: text, query: text }] });
        expect(json).not.toMatch(rawHidden);
      }),
    );
  });
});

describe('CSV', () => {
  test('has a header, and ages in milliseconds', () => {
    const [header, row] = readCsv(
      exported(
        [
          aSession({
            state: 'active',
            isWaiting: true,
            waitEventType: 'Lock',
            waitEvent: 'tuple',
            blockedBy: [7, 8],
          }),
        ],
        'csv',
      ),
    );
    expect(
      Object.fromEntries((header ?? []).map((title, column) => [title, row?.[column]])),
    ).toEqual({
      pid: '1',
      state: 'active',
      state_age_ms: '10',
      application: 'api',
      user: 'app',
      database: 'shop',
      client_address: '10.0.0.1',
      client_port: '50000',
      backend_start: '2026-01-01T00:00:00.000000Z',
      wait: 'Lock: tuple',
      transaction_age_ms: '',
      query_age_ms: '10',
      blocked_by: '7 8',
      is_own: 'false',
      statement: 'SELECT 1',
    });
  });

  test('keeps every text in its cell, and no cell begins a formula', () => {
    fc.assert(
      fc.property(fc.array(hostileText, { minLength: 1, maxLength: 4 }), (texts) => {
        const rows = readCsv(
          exported(
            texts.map((text) => aSession({ application: text, user: text, query: text })),
            'csv',
          ),
        );
        expect(rows.map(({ length }) => length)).toEqual(
          Array.from({ length: texts.length + 1 }, () => 15),
        );
        expect(
          rows.slice(1).map((row) => row.at(-1)?.replace(/^'(?=[=+\-@\t\r\n＝＋－＠])/u, '')),
        ).toEqual(texts.map((text) => toPlainLines(escapeHidden(text))));
        expect(rows.flat().filter((cell) => /^[=+\-@\t\r＝＋－＠]/u.test(cell))).toEqual([]);
      }),
    );
  });
});

describe('Markdown', () => {
  test('is a table that a person can read', () => {
    expect(
      exported(
        [aSession({ state: 'idle in transaction', stateAgeMs: 61_000, transactionAgeMs: 62_000 })],
        'markdown',
      ),
    )
      .toBe(`PostgreSQL 18.4 at app\\@localhost:5432/shop, 2026-01-01T00:00:00.000Z: 1 of 95 usable connections used, 1 listed.

| pid | state | in state | application | user | database | client | wait | transaction | blocked by | statement |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
| 1 | idle in transaction | 1 min 1 s | api | app | shop | 10.0.0.1:50000 |  | 1 min 2 s |  | \`SELECT 1\` |
`);
  });

  test.each(hostileTexts)('%j stays text in its cell', (text) => {
    expectText(text);
  });

  test('whatever comes stays text in its cell', () => {
    fc.assert(fc.property(hostileText, expectText));
  });

  function expectText(text: string): void {
    const tree = readMarkdown(exported([aSession({ application: text, query: text })], 'markdown'));
    const cells = [...nodesOf(tree)].filter(({ type }) => type === 'tableCell').slice(11);
    expect(cells.map(textOf)).toHaveLength(11);
    // Readers make links of what looks like an address, wherever it stands; nothing else may come of a text.
    expect(
      [...nodesOf(tree)].filter(
        ({ type, url = '' }) => !plainNodes.has(type) && !/^(?:https?|mailto):/.test(url),
      ),
    ).toEqual([]);
    const shown = shorten(toPlainText(escapeHidden(text)).trim(), 300);
    expect([cells[3], cells[10]].map((cell) => cell && textOf(cell).trim())).toEqual([
      shown,
      shown,
    ]);
  }
});

interface MarkdownNode {
  readonly type: string;
  readonly value?: string;
  readonly url?: string;
  readonly children?: readonly MarkdownNode[];
}

const plainNodes: ReadonlySet<string> = new Set([
  'root',
  'paragraph',
  'text',
  'table',
  'tableRow',
  'tableCell',
  'inlineCode',
]);

function readMarkdown(body: string): MarkdownNode {
  const answer = markdown.languages.gfm.parse(
    { body, bom: false, path: 'a.md', physicalPath: 'a.md' },
    { languageOptions: {} },
  );
  if (!answer.ok) throw new Error('The Markdown could not be read.');
  return answer.ast;
}

function* nodesOf(node: MarkdownNode): Generator<MarkdownNode> {
  yield node;
  for (const child of node.children ?? []) yield* nodesOf(child);
}

function textOf(node: MarkdownNode): string {
  return [...nodesOf(node)].map(({ value = '' }) => value).join('');
}

/** RFC 4180. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  let at = 0;
  while (at < text.length) {
    const [cell = '', quoted, plain = '', end = ''] =
      /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y[Symbol.match](text.slice(at)) ?? [];
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end !== ',') rows.push([]);
    if (cell === '') throw new Error(`Not CSV at ${at}: ${text.slice(at, at + 40)}`);
    at += cell.length;
  }
  return rows.slice(0, -1);
}
