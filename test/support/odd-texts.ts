import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Range } from 'vscode-languageserver';

/** What texts hold that two programs may count in two ways. */
export const oddities = [
  'a mark',
  'CR LF',
  'CR',
  'U+2028',
  'U+2029',
  'an astral character',
  'tabs',
] as const;

export type Oddity = (typeof oddities)[number];

const breaks: Partial<Record<Oddity, string>> = {
  'CR LF': '\r\n',
  CR: '\r',
  'U+2028': '\u2028',
  'U+2029': '\u2029',
};

/** Lines as a text with these oddities; breaks take turns, and there is none but them. */
export function written(lines: readonly string[], odd: readonly Oddity[]): string {
  const between = odd.flatMap((each) => breaks[each] ?? []);
  const text = lines
    .map((line) => (odd.includes('tabs') ? line.replaceAll('  ', '\t') : line))
    .map((line) =>
      odd.includes('an astral character') ? line.replace(/(?<=^\s+)(?=\w)/u, '/* 😀 */ ') : line,
    )
    .flatMap((line, index) => [
      ...(index === 0 ? [] : [between[index % Math.max(between.length, 1)] ?? '\n']),
      line,
    ])
    .join('');
  return `${odd.includes('a mark') ? '\uFEFF' : ''}${text}`;
}

/** None, each one, each pair. */
export function allSubsetsUpToTwo<Value>(values: readonly Value[]): readonly (readonly Value[])[] {
  return [
    [],
    ...values.map((each) => [each]),
    ...values.flatMap((one, index) => values.slice(index + 1).map((other) => [one, other])),
  ];
}

/** A text as the protocol counts: the package that editors and servers share is the judge. */
export function counted(uri: string, text: string): TextDocument {
  return TextDocument.create(uri, 'typescript', 1, text);
}

/** How much is written before the ends of a range, whatever stands between the words: the same for all oddities. */
export function between(document: TextDocument, { start, end }: Range): readonly number[] {
  return [start, end].map((position) => {
    const text = document.getText({ start: { line: 0, character: 0 }, end: position });
    return text.replace(/\s|\/\* 😀 \*\//gu, '').length;
  });
}

/** A client that is held while another file wants one, too. */
export const asking: readonly string[] = [
  "import { audit, pool } from './audit.js';",
  'export async function pay() {',
  '  const client = await pool.connect();',
  '  try {',
  '    await audit();',
  '  } finally {',
  '    client.release();',
  '  }',
  '}',
  '',
];

/** The file `audit.ts`; what it is asked for begins on its first line. */
export const asked: readonly string[] = [
  'export async function audit() {',
  "  await pool.query('SELECT 1');",
  '}',
  "import { Pool } from 'pg';",
  'export const pool = new Pool();',
  "pool.on('error', console.error);",
  '',
];
