import { expect, test } from 'vitest';
import { describedRules } from '../../../rules/described-rules.ts';
import { fixFile } from '../../../src/lint/fix-file.ts';
import type { Lint } from '../../../src/lint/linter.ts';
import type { Problem } from '../../../src/lint/problem.ts';

/** Reports each word `bad` and offers to replace it; `also` adds other problems, chosen by the text. */
function linterFor(
  replacement: string,
  also: (text: string) => readonly Problem[] = () => [],
): Lint {
  return ({ path, text }) => ({
    path,
    text,
    suppressed: [],
    problems: [
      ...[...text.matchAll(/bad/gu)].map(({ index }) => problemAt(index, replacement)),
      ...also(text),
    ],
  });
}

function problemAt(index: number, replacement: string, rule = 'poolguard/bad'): Problem {
  return {
    rule,
    severity: 'warning',
    message: '',
    place: { start: { line: 1, column: 0 }, end: { line: 1, column: 0 } },
    steps: [],
    fixes: [{ kind: 'replace', title: 'Replace.', range: [index, index + 3], text: replacement }],
  };
}

const safe = new Map([['poolguard/bad', ['replace']]]);

function fix(text: string, lint: Lint, onlyErrors = false) {
  return fixFile(lint, lint({ path: '/a.js', text }), { safe, onlyErrors });
}

test('every problem is fixed', () => {
  expect(fix('bad, bad', linterFor('good'))).toMatchObject({
    text: 'good, good',
    fixed: { from: 'bad, bad', applied: ['Replace.', 'Replace.'] },
  });
});

test.each<[string, Lint]>([
  ['leaves the problem', linterFor('(bad)')],
  [
    'brings another one',
    linterFor('good', (text) => (text.includes('good') ? [problemAt(0, '', 'poolguard/x')] : [])),
  ],
  [
    'is not understood',
    (source) => ({
      ...linterFor('good')(source),
      ...(source.text.includes('good') && { mistake: { message: 'It broke', stack: '' } }),
    }),
  ],
])('a fix that %s is not kept', (_, lint) => {
  const before = fix('bad', lint);
  expect(before).toMatchObject({ text: 'bad' });
  expect(before.fixed).toBeUndefined();
});

test('where not all can be kept, those that are sound alone are', () => {
  const lint = linterFor('good', (text) =>
    text.startsWith('good') ? [problemAt(0, '', 'poolguard/x')] : [],
  );
  expect(fix('bad, bad', lint)).toMatchObject({
    text: 'bad, good',
    fixed: { applied: ['Replace.'] },
  });
});

test('a fix that never comes to an end is stopped', () => {
  expect(fix('bad', linterFor('bad'))).toMatchObject({ text: 'bad' });
});

test('warnings stay where only errors are meant', () => {
  expect(fix('bad', linterFor('good'), true).fixed).toBeUndefined();
});

test('what rules declare safe are suggestions of theirs', () => {
  const declared = describedRules.filter(({ meta }) => meta.docs.safeSuggestions.length > 0);
  expect(declared.length).toBeGreaterThan(3);
  for (const { meta } of declared) {
    expect(meta.hasSuggestions).toBe(true);
    expect(Object.keys(meta.messages ?? {})).toEqual(
      expect.arrayContaining([...meta.docs.safeSuggestions]),
    );
  }
});
