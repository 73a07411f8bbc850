import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import ts from 'typescript';
import { expect } from 'vitest';
import { setUpEslint } from '../../src/lint/setup/eslint-setup.ts';
import { setUpOxlint } from '../../src/lint/setup/oxlint-setup.ts';
import { applyEdits } from '../../src/lint/setup/text-edit.ts';
import { fuzz } from './support/fuzz.ts';
import { mutated, textOf } from './support/pieces.ts';

const configurations = [
  "import globals from 'globals'; // known\n\nexport default [\n  { languageOptions: { globals } },\n  {\n    rules: { eqeqeq: 'error' },\n  }, // the last\n];\n",
  "import { defineConfig } from 'eslint/config';\n\n/** ours */\nexport default defineConfig([\n  { rules: { eqeqeq: 'error' } } // x\n]);\n",
  "'use strict';\nconst tseslint = require('typescript-eslint');\n\nmodule.exports = tseslint.config(tseslint.configs.recommended, { rules: {} });\n",
  'import other from "./other.js"\n\nexport default [\n\t...other,\n\t{ rules: { eqeqeq: "error" } },\n]\n',
  'const config = [{ rules: {} }];\n\nexport default config;\n',
  "// @ts-check\n/** @type {import('eslint').Linter.Config[]} */\nexport default [];\n",
  "import type { Linter } from 'eslint';\nexport default [{}] satisfies Linter.Config[];\n",
];
const put = [
  '[',
  ']',
  '{',
  '}',
  '(',
  ')',
  ',',
  ',,',
  '...',
  '// c\n',
  '/* c */',
  '\n',
  '\r\n',
  ';',
  "'",
  '"',
  '`',
  'export default ',
  'module.exports = ',
  'const poolguard = 1;',
  'import x from "y";',
  'async ',
  'await ',
  '=>',
  ' as const',
  '#!/usr/bin/env node\n',
  '\uFEFF',
  '\u2028',
  "'use strict'\n",
];
const file = fc.record({
  text: mutated(configurations, put),
  fileName: fc.constantFrom(
    'eslint.config.js',
    'eslint.config.mjs',
    'eslint.config.cjs',
    'eslint.config.ts',
  ),
  preset: fc.constantFrom(
    'recommended' as const,
    'strict' as const,
    'transaction-pooling' as const,
  ),
  pooler: fc.constantFrom('', 'pgbouncer:transaction:1.21'),
  typescript: fc.constantFrom(null, 'typescript-eslint' as const),
});

fuzz(
  'an edited ESLint configuration parses, keeps its comments, and is not edited twice',
  file,
  (facts) => {
    const answer = setUpEslint(facts);
    if (answer.kind === 'by hand') return void expect(answer.sentence).toMatch(/\.$/u);
    if (answer.kind === 'already') return;
    const text = answer.kind === 'create' ? answer.text : applyEdits(facts.text, answer.edits);
    expect(errorsIn(facts.fileName, text)).toEqual([]);
    expect(commentsIn(text)).toEqual(expect.arrayContaining([...commentsIn(facts.text)]));
    expect(setUpEslint({ ...facts, text })).toEqual({ kind: 'already' });
  },
  1500,
);

const json = textOf(
  [
    '{',
    '}',
    '"rules"',
    '"jsPlugins"',
    ':',
    '[',
    ']',
    ',',
    '"a"',
    'null',
    '1',
    '// c\n',
    '/* c */',
    '\n',
    ' ',
    '"poolguard/no-unreleased-client"',
    '"off"',
    '"eslint-plugin-poolguard"',
    '\uFEFF',
  ],
  20,
);
const objects = mutated(
  [
    '{\n\t// Ours.\n\t"rules": {\n\t\t"eqeqeq": "error", // strict\n\t},\n}\n',
    '{ "jsPlugins": ["x"], "rules": {} }',
    '{}',
  ],
  ['{', '}', ',', '"a": 1,', '/* c */', '[', ']', '\n'],
);

fuzz(
  'an edited oxlint configuration parses and is not edited twice',
  fc.oneof(json, objects),
  (text) => {
    const severities = { 'poolguard/no-unreleased-client': 'error' };
    const answer = setUpOxlint({ text, severities });
    if (answer.kind !== 'edit') return;
    const edited = applyEdits(text, answer.edits);
    const errors: unknown[] = [];
    parse(edited, errors as never[], { allowTrailingComma: true });
    expect(errors).toEqual([]);
    expect(setUpOxlint({ text: edited, severities })).toEqual({ kind: 'already' });
  },
);

function errorsIn(fileName: string, text: string): readonly unknown[] {
  const read = ts.createSourceFile(
    fileName,
    text,
    ts.ScriptTarget.Latest,
    true,
    fileName.endsWith('.ts') ? ts.ScriptKind.TS : ts.ScriptKind.JS,
  );
  return (
    (read as { readonly parseDiagnostics?: readonly { readonly messageText: unknown }[] })
      .parseDiagnostics ?? []
  ).map(({ messageText }) => messageText);
}

/** Comments, as TypeScript's scanner finds them outside of templates and expressions. */
function commentsIn(text: string): readonly string[] {
  return [...text.matchAll(/\/\/ [a-z@][^\n\r\u2028]{0,20}$|\/\* c \*\//gmu)].map(
    ([comment]) => comment,
  );
}
