import { parser } from 'typescript-eslint';
import { Linter } from 'eslint';
import { expect, test } from 'vitest';
import plugin from '../../rules/index.ts';

export interface SuggestedSample {
  /** What the sample shows; the name of its test. */
  readonly name: string;
  readonly code: string;
  /** The code after each of the suggestions, in their order; none where nothing is to be suggested. */
  readonly outputs: readonly string[];
}

const header = "import { Pool, type PoolClient } from 'pg';\nconst pool = new Pool();\n";

/** One test a sample: the rule offers exactly these changes, and no rule has anything to say of what they leave. */
export function checkSuggestions(rule: string, samples: readonly SuggestedSample[]): void {
  test.each(samples.map((sample) => [sample.name, sample] as const))('%s', (_name, { code, outputs }) => {
    const source = header + code;
    const messages = lint(source, [rule]);
    const changed = messages.flatMap(({ suggestions = [] }) => suggestions.map(({ fix }) => source.slice(0, fix.range[0]) + fix.text + source.slice(fix.range[1])));
    expect(messages).not.toEqual([]);
    expect(changed).toEqual(outputs.map((output) => header + output));
    for (const text of changed) expect(lint(text, Object.keys(plugin.rules ?? {}).filter((id) => id !== 'require-pool-error-handler')).map(({ ruleId, message }) => ruleId ?? message)).toEqual([]);
  });
}

function lint(code: string, rules: readonly string[]): readonly Linter.LintMessage[] {
  const config: Linter.Config = { files: ['**/*.ts'], plugins: { poolguard: plugin }, rules: Object.fromEntries(rules.map((id) => [`poolguard/${id}`, 'error'])), languageOptions: { parser } };
  return new Linter().verify(code, [config], { filename: 'sample.ts' });
}
