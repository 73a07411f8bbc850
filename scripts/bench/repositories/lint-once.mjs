// Lints files once with ESLint, in a process of its own, and prints what that took as one line of JSON.
// Standard input: { cwd, files, plugin: { path, prefix } | null }.
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import * as parser from '@typescript-eslint/parser';
import { ESLint } from 'eslint';

const { cwd, files, plugin } = JSON.parse(readFileSync(0, 'utf8'));
const start = performance.now();
const loaded = plugin === null ? null : await loadPlugin(plugin.path);
const eslint = new ESLint({
  cwd,
  overrideConfigFile: true,
  allowInlineConfig: false,
  overrideConfig: [
    {
      files: ['**/*.{js,jsx,mjs,cjs,ts,tsx,mts,cts}'],
      languageOptions: { parser, parserOptions: { ecmaFeatures: { jsx: true } } },
      linterOptions: { reportUnusedDisableDirectives: 'off' },
      ...(loaded === null
        ? {}
        : { plugins: { [plugin.prefix]: loaded }, rules: allRulesOf(loaded, plugin.prefix) }),
    },
  ],
});
const results = await eslint.lintFiles(files);
const wall = performance.now() - start;
const { user, system } = process.cpuUsage();
const memory = process.resourceUsage().maxRSS / 1024;
globalThis.gc();
process.stdout.write(
  JSON.stringify({
    wall,
    cpu: (user + system) / 1000,
    memory,
    kept: process.memoryUsage().heapUsed / 1_048_576,
    files: results.length,
    findings: results.reduce(
      (sum, { messages }) => sum + messages.filter(({ ruleId }) => ruleId !== null).length,
      0,
    ),
  }),
);

async function loadPlugin(path) {
  const found = await import(pathToFileURL(path).href);
  return [found, found.default, found.default?.default].find((each) => each?.rules !== undefined);
}

function allRulesOf({ rules }, prefix) {
  return Object.fromEntries(Object.keys(rules).map((id) => [`${prefix}/${id}`, 'error']));
}
