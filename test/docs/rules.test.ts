import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import plugin from '../../rules/index.ts';
import { createLinter } from '../../src/lint/linter.ts';
import { poolguard } from '../../src/lint/analyser.ts';
import { parsePooler, type Pooler } from '../../src/lint/pooler.ts';
import { codeBlocksOf, type CodeBlock } from '../support/code-blocks.ts';
import { poolModule } from '../support/pool-module.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

const folder = join(import.meta.dirname, '../../docs/rules');
const pages = readdirSync(folder).map((file) => ({
  id: file.replace('.md', ''),
  text: readFileSync(join(folder, file), 'utf8'),
}));
const project = await createTemporaryFolder({ 'pool.js': poolModule() });

afterAll(() => project[Symbol.asyncDispose]());

/** Also by the page's own rule, where the recommended preset leaves it off. */
function rulesFoundIn(
  { language, text, pooler }: CodeBlock,
  id: string,
): readonly (string | null)[] {
  const lint = createLinter(poolguard, {
    severities: { [`poolguard/${id}`]: 'error' },
    ...(pooler === undefined ? {} : { pooler: knownPooler(pooler) }),
  });
  const { problems } = lint({ path: join(project.path, `example.${language}`), text });
  return [...new Set(problems.map(({ rule }) => rule))];
}

function knownPooler(text: string): Pooler {
  const pooler = parsePooler(text);
  if (typeof pooler === 'string') throw new Error(pooler);
  return pooler;
}

test('each rule has a page, and each page a rule', () => {
  expect(pages.map(({ id }) => id).sort()).toEqual(Object.keys(plugin.rules ?? {}).sort());
});

describe.each(pages)('$id', ({ id, text }) => {
  const blocks = codeBlocksOf(text);
  const wrong = blocks.filter(({ caption }) => caption.startsWith('❌'));
  const right = blocks.filter(({ caption }) => caption.startsWith('✅'));

  test('has wrong and right examples, and the usual headings', () => {
    expect(wrong.length).toBeGreaterThan(1);
    expect(right.length).toBeGreaterThan(1);
    expect(text.startsWith(`# ${id}\n`)).toBe(true);
    for (const heading of [
      '## Examples',
      '## What it does not see',
      '## When not to use it',
      '## Options',
    ])
      expect(text).toContain(heading);
  });

  test.each(wrong)('line $line is reported by this rule and no other: $caption', (block) => {
    expect(rulesFoundIn(block, id)).toEqual([`poolguard/${id}`]);
  });

  test.each(right)('line $line is fine: $caption', (block) => {
    expect(rulesFoundIn(block, id)).toEqual([]);
  });
});
