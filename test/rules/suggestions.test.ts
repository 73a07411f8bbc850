import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { codeBlocksOf } from '../support/code-blocks.ts';
import { addedBy, appliedTo, lintWithAll } from '../support/suggested.ts';

const root = join(import.meta.dirname, '../..');

interface Source {
  readonly name: string;
  readonly path: string;
  readonly text: string;
}

function filesIn(folder: string): readonly Source[] {
  const paths = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((path) => /\.(?:ts|js|cjs)$/u.test(path));
  return paths.sort().map((path) => ({ name: path, path: join(root, folder, path), text: readFileSync(join(root, folder, path), 'utf8') }));
}

function examplesOfPages(): readonly Source[] {
  const folder = join(root, 'docs/rules');
  return readdirSync(folder).flatMap((file) => codeBlocksOf(readFileSync(join(folder, file), 'utf8'))
    .filter(({ caption }) => caption.startsWith('❌'))
    .map(({ language, text, line }) => ({ name: `${file}:${line}`, path: join(folder, `example.${language}`), text })));
}

describe.each([
  ['leaky-api', filesIn('examples/leaky-api'), 5],
  ['the wrong examples of the pages', examplesOfPages(), 7],
  ['shapes of real code', filesIn('test/fixtures/suggestions'), 20],
] as const)('%s', (_name, sources, least) => {
  const cases = sources.flatMap((source) => {
    const messages = lintWithAll(source.text, source.path);
    return appliedTo(source.text, messages).map((applied) => ({ ...source, messages, applied, title: `${source.name}:${applied.message.line} ${applied.suggestion.desc}` }));
  });

  test(`offers at least ${least} suggestions`, () => {
    expect(cases.length).toBeGreaterThanOrEqual(least);
  });

  test.each(cases)('$title', ({ path, text, messages, applied }) => {
    expect(addedBy(applied, messages, path)).toEqual([]);
    expect(strangeLines(applied.after)).toEqual(strangeLines(text));
  });
});

/** Lines that end in white space, and empty lines before a closing brace. */
function strangeLines(text: string): readonly string[] {
  return text.match(/^.*[ \t]+$|^\s*\n\s*\}/gmu) ?? [];
}
