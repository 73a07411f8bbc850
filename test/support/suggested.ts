import { Linter } from 'eslint';
import { parser as typescriptParser } from 'typescript-eslint';
import { dirname } from 'node:path';
import plugin from '../../rules/index.ts';

type Message = Linter.LintMessage;

/** What every rule of the plugin says about a text. */
export function lintWithAll(text: string, path = '/project/sample.ts'): readonly Message[] {
  const rules = Object.fromEntries(Object.keys(plugin.rules).map((id) => [`poolguard/${id}`, 'error'] as const));
  const config: Linter.Config = { files: ['**/?*'], plugins: { poolguard: plugin }, rules, languageOptions: { parser: typescriptParser, sourceType: path.endsWith('.cjs') ? 'commonjs' : 'module' } };
  return new Linter({ cwd: dirname(path) }).verify(text, [config], { filename: path, allowInlineConfig: false });
}

/** One suggestion of one message, applied. */
export interface Applied {
  readonly message: Message;
  readonly suggestion: Linter.LintSuggestion;
  readonly after: string;
}

export function appliedTo(text: string, messages: readonly Message[]): readonly Applied[] {
  return messages.flatMap((message) => (message.suggestions ?? []).map((suggestion) => {
    const [start, end] = suggestion.fix.range;
    return { message, suggestion, after: text.slice(0, start) + suggestion.fix.text + text.slice(end) };
  }));
}

/** Advice that a mended file may call for: a checkout that comes back on every path may turn out to be superfluous. */
const advice: ReadonlySet<string> = new Set(['poolguard/prefer-pool-query single']);

/** What is reported after a suggestion that was not reported before it; the message that it mends must be among what is gone. */
export function addedBy({ message, after }: Applied, messages: readonly Message[], path?: string): readonly string[] {
  const known = messages.filter((each) => each !== message).map(identityOf);
  return lintWithAll(after, path).map(identityOf).filter((each) => {
    const index = known.indexOf(each);
    if (index !== -1) known.splice(index, 1);
    return index === -1 && !advice.has(each);
  });
}

/** Lines and their texts change. */
function identityOf({ ruleId, messageId, message }: Message): string {
  return `${ruleId ?? 'parser'} ${messageId ?? message}`;
}
