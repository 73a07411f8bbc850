import { Linter } from 'eslint';
import { parser } from 'typescript-eslint';
import plugin from '../../rules/index.ts';

function problemsIn(code: string, config: Linter.Config): readonly Linter.LintMessage[] {
  return new Linter().verify(code, [{ files: ['**/*.ts'], plugins: { poolguard: plugin }, languageOptions: { parser } }, config], { filename: 'sample.ts' });
}

/** The text with each suggestion of a rule taken, one text a suggestion. */
export function suggestedBy(rule: string, code: string): readonly string[] {
  const suggestions = problemsIn(code, { rules: { [`poolguard/${rule}`]: 'error' } }).flatMap((message) => message.suggestions ?? []);
  return suggestions.map(({ fix: { range, text } }) => code.slice(0, range[0]) + text + code.slice(range[1]));
}

/** What the strict preset says of a text, parsing errors included. */
export function strictlyIn(code: string): readonly string[] {
  return problemsIn(code, plugin.configs.strict).map(({ ruleId, message }) => ruleId ?? message);
}
