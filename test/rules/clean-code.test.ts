import { parser as typescriptParser } from 'typescript-eslint';
import { Linter } from 'eslint';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import type { PresetName } from '../../rules/rule-text.ts';
import plugin from '../../rules/index.ts';

const folder = join(import.meta.dirname, '../fixtures/clean');
const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.[cm]?[jt]sx?$/u.test(path))
  .toSorted();

/**
 * What lives in the session of one connection belongs to a database without a pooler before it: `sessions/` holds it, and the preset
 * for such poolers is not run there.
 */
const presetsFor = (path: string): readonly PresetName[] =>
  path.startsWith('sessions/')
    ? ['recommended', 'strict']
    : ['recommended', 'strict', 'transaction-pooling'];

function reportsOn(path: string, preset: PresetName): readonly string[] {
  const config: Linter.Config[] = [
    { files: ['**/*.{js,mjs,cjs,ts,mts,cts,tsx}'], ...plugin.configs[preset] },
    { files: ['**/*.cjs'], languageOptions: { sourceType: 'commonjs' } },
    { files: ['**/*.{ts,mts,cts,tsx}'], languageOptions: { parser: typescriptParser } },
  ];
  const filename = join(folder, path);
  const messages = new Linter({ cwd: folder }).verify(readFileSync(filename, 'utf8'), config, {
    filename,
    allowInlineConfig: false,
  });
  return messages.map(
    ({ line, ruleId, message }) => `${path}:${line} ${ruleId ?? 'parser'}: ${message}`,
  );
}

describe('correct code of many kinds gets no report', () => {
  test.each(paths.flatMap((path) => presetsFor(path).map((preset) => [path, preset] as const)))(
    '%s with %s',
    (path, preset) => {
      expect(reportsOn(path, preset)).toEqual([]);
    },
  );

  it('and there is much of it', () => {
    expect(paths.length).toBeGreaterThanOrEqual(100);
  });
});
