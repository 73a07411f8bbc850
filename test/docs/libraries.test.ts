import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createLinter } from '../../src/lint/linter.ts';
import { poolguard } from '../../src/lint/analyser.ts';
import { codeBlocksOf, type CodeBlock } from '../support/code-blocks.ts';
import { root, textOf } from '../support/documents.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

const pages = readdirSync(join(root, 'docs/libraries')).map((file) => `docs/libraries/${file}`);
const project = await createTemporaryFolder({});

afterAll(() => project[Symbol.asyncDispose]());

/** What the rules print of a block, as the pages show it. */
function findingsIn({ language, text, line }: CodeBlock): readonly string[] {
  const lint = createLinter(poolguard, {});
  const { problems } = lint({ path: join(project.path, `example-${line}.${language}`), text });
  return problems.map(
    ({ place: { start }, severity, message, rule }) =>
      `${start.line}:${start.column + 1}  ${severity}  ${message}  ${rule ?? ''}`,
  );
}

function isConfiguration({ text }: CodeBlock): boolean {
  return text.includes('defineConfig');
}

const configuration = codeBlocksOf(textOf('README.md')).find(isConfiguration)?.text;

/** Each example, with the block that shows its findings where it has one. */
function examplesOf(page: string) {
  const blocks = codeBlocksOf(textOf(page));
  return blocks.flatMap((block, index) => {
    const next = blocks[index + 1];
    return /^[❌✅]/u.test(block.caption)
      ? [{ block, caption: block.caption, shown: next?.language === 'text' ? next.text : '' }]
      : [];
  });
}

test.each(pages)('%s has the configuration of the README', (page) => {
  expect(codeBlocksOf(textOf(page)).filter(isConfiguration)).toMatchObject([
    { text: configuration },
  ]);
});

test.each(pages)('%s has a right example for each wrong one', (page) => {
  const captions = examplesOf(page).map(({ caption }) => caption[0]);
  expect(captions.length).toBeGreaterThanOrEqual(6);
  expect(captions).toEqual(captions.map((_, index) => (index % 2 === 0 ? '❌' : '✅')));
  expect(captions.length % 2).toBe(0);
});

describe.each(pages)('%s shows what the rules print', (page) => {
  test.each(examplesOf(page))('$caption', ({ block, caption, shown }) => {
    expect(shown === '').toBe(caption.startsWith('✅'));
    expect(findingsIn(block).join('\n')).toBe(shown.trim());
  });
});
