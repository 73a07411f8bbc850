import { ESLint, type Linter } from 'eslint';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { globbySync } from 'globby';
import { parser } from 'typescript-eslint';
import { expect, test } from 'vitest';
import plugin from '../../../rules/index.ts';
import { toMessage } from '../../../src/cli/formats/eslint-json.ts';
import { createLinter } from '../../../src/lint/linter.ts';
import type { Severity } from '../../../src/lint/rule-entry.ts';
import { poolguard } from '../../../src/lint/analyser.ts';
import { createProgram, createParsers } from '../../../src/lint/program.ts';

const root = join(import.meta.dirname, '../../..');
const severities: Readonly<Record<string, Severity>> = Object.fromEntries(
  Object.keys(plugin.rules).map((id) => [`poolguard/${id}`, 'error' as const]),
);

/** Code with and without mistakes, of one file and of several. */
const files = globbySync(
  ['examples/*/src/**/*.{ts,js}', 'test/fixtures/{clean,suggestions}/**/*.{ts,tsx,js,mjs,cjs}'],
  { cwd: root, absolute: true },
).sort();

test('the command line finds what ESLint finds, though each parses in its own way', async () => {
  const eslint = new ESLint({
    cwd: root,
    overrideConfigFile: true,
    ignore: false,
    overrideConfig: [
      {
        files: ['**/*.{ts,tsx,js,mjs,cjs}'],
        languageOptions: { parser },
        linterOptions: { reportUnusedDisableDirectives: 'off' },
        plugins: { poolguard: plugin },
        rules: severities,
      },
    ],
  });
  const parsers = createParsers();
  const linters = [parsers, parsers.slice(-1)].map((each) =>
    createLinter(poolguard, { severities }, createProgram(undefined, each)),
  );
  const found = new Map<string, readonly object[]>();
  for (const { filePath, messages } of await eslint.lintFiles(files)) {
    const text = readFileSync(filePath, 'utf8');
    for (const lint of linters)
      expect(
        lint({ path: filePath, text }).problems.map(toMessage),
        relative(root, filePath),
      ).toEqual(messages.map(asOurs));
    found.set(filePath, messages);
  }
  expect(files.length).toBeGreaterThan(50);
  expect([...found.values()].flat().length).toBeGreaterThan(50);
});

/** ESLint 9 also says of which type the node is, and both what suggestions were filled in with. */
function asOurs({
  nodeType: _,
  suggestions,
  ...message
}: Linter.LintMessage & { nodeType?: unknown }) {
  const given = suggestions?.map(({ messageId, desc, fix }) => ({ messageId, desc, fix }));
  return { ...message, ...(given === undefined ? {} : { suggestions: given }) };
}
