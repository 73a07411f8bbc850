import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import plugin from '../../rules/index.ts';
import { createLinter } from '../../src/lint/linter.ts';
import { poolguard } from '../../src/lint/analyser.ts';
import { parsePooler } from '../../src/lint/pooler.ts';
import { codeBlocksOf, type CodeBlock } from '../support/code-blocks.ts';
import { forbiddenIn } from '../support/forbidden-words.ts';
import { faultsInMessage, faultsInSuggestion, sentencesOf } from '../support/message-style.ts';
import { poolModule } from '../support/pool-module.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
const project = await createTemporaryFolder({ 'pool.js': poolModule() });

afterAll(() => project[Symbol.asyncDispose]());

const severities = Object.fromEntries(
  Object.keys(plugin.rules).map((id) => [`poolguard/${id}`, 'error' as const]),
);

interface Source {
  readonly name: string;
  readonly path: string;
  readonly text: string;
  readonly pooler?: string | undefined;
}

/** The wrong examples of the pages of a folder. */
function examplesOf(folder: string): readonly Source[] {
  return readdirSync(join(root, folder)).flatMap((file) =>
    codeBlocksOf(readFileSync(join(root, folder, file), 'utf8'))
      .filter(({ caption }) => caption.startsWith('❌'))
      .map((block) => sourceOf(file, block)),
  );
}

function sourceOf(file: string, { language, text, line, pooler }: CodeBlock): Source {
  return { name: `${file}:${line}`, path: join(project.path, `example.${language}`), text, pooler };
}

function filesOf(folder: string): readonly Source[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:ts|js|cjs)$/u.test(file))
    .map((file) => join(root, folder, file))
    .map((path) => ({ name: path, path, text: readFileSync(path, 'utf8') }));
}

function problemsIn({ path, text, pooler }: Source) {
  const known = pooler === undefined ? undefined : parsePooler(pooler);
  if (typeof known === 'string') throw new Error(known);
  const lint = createLinter(poolguard, {
    severities,
    ...(known !== undefined && { pooler: known }),
  });
  return lint({ path, text }).problems;
}

const problems = [
  ...examplesOf('docs/rules'),
  ...examplesOf('docs/libraries'),
  ...filesOf('examples/leaky-api'),
  ...filesOf('test/fixtures/suggestions'),
].flatMap(problemsIn);

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort();
}

test('each rule is heard', () => {
  expect(unique(problems.map(({ rule }) => rule ?? ''))).toEqual(Object.keys(severities).sort());
});

test.each(unique(problems.map(({ message }) => message)))(
  'the harm in one short sentence, then the cure: %s',
  (message) => {
    expect(faultsInMessage(message)).toEqual([]);
  },
);

test.each(unique(problems.flatMap(({ fixes }) => fixes.map(({ title }) => title))))(
  'a suggestion is a short imperative: %s',
  (title) => {
    expect(faultsInSuggestion(`${title}.`)).toEqual([]);
  },
);

test.each(unique(problems.flatMap(({ steps }) => steps.map(({ text }) => text))))(
  'a step of a path has no forbidden word: %s',
  (text) => {
    expect(forbiddenIn(text)).toEqual([]);
  },
);

test.each(Object.entries(plugin.rules))(
  '%s describes itself and its options in good words',
  (_id, { meta }) => {
    const [schema] = meta.schema as readonly {
      readonly properties: Record<string, { description: string }>;
    }[];
    const options = Object.values(schema?.properties ?? {}).map(({ description }) => description);
    expect([meta.docs.description, ...options].flatMap(forbiddenIn)).toEqual([]);
    expect(meta.docs.description).toMatch(/^(?:Disallow|Prefer|Require) .{20,110}\.$/u);
  },
);

describe('what is wrong with a message', () => {
  test.each([
    ['Connection leak: `c. d` is lost. Release it.', []],
    [
      'When line 8 throws, `c` is lost for good. Release it.',
      ['"for good": permanently', 'begins with a clause'],
    ],
    ['A leak. It should be released.', ['the cure is no imperative: It should be released.']],
    ['A leak', ['no sentence ends', 'no cure', 'no full stop at the end']],
    [
      `A ${'long '.repeat(24)}leak. Release it.`,
      [expect.stringMatching(/^the first .* 127 char/u)],
    ],
  ])('%s', (message, faults) => {
    expect(faultsInMessage(message)).toEqual(faults);
  });

  test('a suggestion is an imperative', () => {
    expect(faultsInSuggestion('The client is released')).toEqual([
      'no imperative',
      'no full stop at the end',
    ]);
  });

  test('code and quotations end no sentence', () => {
    expect(sentencesOf('Fails with "a. B" at `x. Y` on \'end\'. Use `z`.')).toEqual([
      'Fails with "a. B" at `x. Y` on \'end\'.',
      'Use `z`.',
    ]);
  });
});
