import { join } from 'node:path';
import { expect, test } from 'vitest';
import { allTexts } from '../../../scripts/docs/texts/all-texts.ts';
import { textsInCode } from '../../../scripts/docs/texts/code-texts.ts';
import { textsInManifest } from '../../../scripts/docs/texts/manifest-texts.ts';
import { forbiddenIn } from '../../support/forbidden-words.ts';

const root = join(import.meta.dirname, '../../..');

/** What only the program reads. */
const exceptions: readonly (readonly [text: RegExp, reason: string])[] = [
  [/^given back$/u, 'a state of a client in the analysis'],
  [/^\s*const names = new Set\(/u, 'the code of a loader hook'],
];

const texts = allTexts(root).filter(({ text }) => !exceptions.some(([known]) => known.test(text)));

test('no text for a person has a word or an idiom that is not used', () => {
  expect(texts.length).toBeGreaterThan(2_500);
  expect(
    texts.flatMap(({ path, line, text }) =>
      forbiddenIn(text).map((fault) => `${path}:${line} ${fault} in: ${text.slice(0, 160)}`),
    ),
  ).toEqual([]);
});

test.each([
  [
    'a property, with the values left open',
    'const a = { hint: `Set ${b} to ${c}.` };',
    'hint',
    'Set … to ….',
  ],
  ['an argument, through branches', "warn(ok ? 'All is well.' : '');", 'warn', 'All is well.'],
  ['what is thrown', "if (a) throw 'No such file.';", 'throw', 'No such file.'],
  ['the text of HTML', 'html`<p class="a b">No pool <b>yet</b></p>`;', 'html', 'No pool'],
  ['a spoken attribute', 'html`<i aria-label="Close it" class="b c"></i>`;', 'html', 'Close it'],
])('a text: %s', (_what, code, kind, text) => {
  expect(textsInCode('a.ts', code)).toEqual([{ path: 'a.ts', line: 1, kind, text }]);
});

test.each([
  ['a type', "type A = 'idle in transaction';"],
  ['an import', "import 'a b';"],
  ['SQL', "const a = 'SELECT pid FROM pg_stat_activity WHERE state = $1';"],
  ['a style sheet', 'css`p { margin: 0 auto }`;'],
  ['a list of names', "'find findAll'.split(' ');"],
  ['one word', "const a = 'idle';"],
])('no text: %s', (_what, code) => {
  expect(textsInCode('a.ts', code)).toEqual([]);
});

test('the texts of a manifest are those that are shown', () => {
  const manifest =
    '{\n "main": "a b",\n "title": "Open it",\n "enumDescriptions": ["One of two"]\n}';
  expect(textsInManifest('package.json', manifest)).toEqual([
    { path: 'package.json', line: 3, kind: 'title', text: 'Open it' },
    { path: 'package.json', line: 4, kind: 'enumDescriptions', text: 'One of two' },
  ]);
});
