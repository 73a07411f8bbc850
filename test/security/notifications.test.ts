import { readFileSync } from 'node:fs';
import { globbySync } from 'globby';
import { expect, test } from 'vitest';
import { plainLabel, plainMessage } from '../../src/editor/connections/plain-labels.ts';
import { hostileTexts, rawHiddenFromPeople } from '../support/hostile-text.ts';

const files = globbySync('src/editor/**/*.ts');

test('whatever a notification says is a text of ours, or has lost its links on the way', () => {
  const calls = files.flatMap((file) =>
    [
      ...readFileSync(file, 'utf8').matchAll(
        /\bshow(?:Information|Warning|Error)Message(?:<\w+>)?\(\s*(?<said>.{0,60})/gu,
      ),
    ].map(({ groups }) => `${file}: ${groups?.['said'] ?? ''}`),
  );
  expect(calls.length).toBeGreaterThan(30);
  expect(calls.filter((call) => !/^\S+: (?:'|plainMessage\(|withoutLinks\()/u.test(call))).toEqual(
    [],
  );
});

const links = [
  ...hostileTexts,
  '[click](command:workbench.action.terminal.sendSequence?%7B%7D)',
  '[a] (b)](command:x)',
  '$(trash) $(sync~spin)',
  'x\u202E](command:y)',
];

test.each(links)('%j has no link, no icon and no mark that reorders in a notification', (text) => {
  expect(plainMessage(text)).not.toMatch(/\]\(|\$\([\w~-]+\)|[\t\r\n]/u);
  expect(plainMessage(text)).not.toMatch(rawHiddenFromPeople);
});

test.each(links)('%j has no icon in a row of a pick', (text) => {
  expect(plainLabel(text)).not.toMatch(/(?<!\\)\$\([\w~-]+\)|[\t\r\n]/u);
  expect(plainLabel(text)).not.toMatch(rawHiddenFromPeople);
});
