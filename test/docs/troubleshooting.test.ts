import { describe, expect, test } from 'vitest';
import { textOf } from '../support/documents.ts';

const page = textOf('docs/troubleshooting.md');
/** Each quotation in the first column of the tables. */
const quoted = [...page.matchAll(/^\| ((?:[^|\n])*"[^|\n]*) \|/gmu)].flatMap(([, cell = '']) =>
  [...cell.matchAll(/"([^"]+)"/gu)].map(([, text = '']) => text),
);
const failureTables = [
  'src/database/failure.ts',
  'src/database/failed-connects.ts',
  'src/database/failed-answers.ts',
  'src/database/failure-words.ts',
];
const sources = [
  ...failureTables,
  'src/database/pooler-console.ts',
  'src/probe/preflight/target-guard.ts',
  'src/probe/preflight/cap.ts',
  'src/probe/preflight/role-guard.ts',
  'src/probe/preflight/owner-guard.ts',
  'src/probe/safety/safeguard.ts',
  'src/cli/probe/run-experiment.ts',
  'src/cli/lint/lint.ts',
  'src/cli/formats/stylish.ts',
  'src/cli/target-files.ts',
  'src/lint/find-files.ts',
  'src/editor/findings/status-text.ts',
].map((path) => textOf(path).replaceAll("\\'", "'"));

/** What each row of the table of failures says, without what is filled in. */
const sentences = [
  ...failureTables
    .map(textOf)
    .join('')
    .matchAll(/say: .*?=>\s*`(.+)`,$|return `(.+\.)`;$/gmu),
].map(([, said, returned]) => said ?? returned ?? '');

test('every sentence for a database that cannot be reached or asked stands on the page', () => {
  expect(sentences.length).toBeGreaterThan(30);
  expect(sentences.filter((sentence) => !quoted.some((text) => sentence.includes(text)))).toEqual(
    [],
  );
});

describe('what the page quotes', () => {
  test.each(quoted)('"%s" is said by the product', (text) => {
    const isTitle = text === 'Restricted Mode' || text === 'Watch pools in new terminals';
    expect(isTitle || sources.some((source) => source.includes(text))).toBe(true);
  });
});
