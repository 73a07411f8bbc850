import type { ESLint, Linter, SourceCode } from 'eslint';
import type { Finding } from '../../rules/analysis/findings/finding.ts';

/** The parts of `eslint-plugin-poolguard` that linting needs; tests pass a smaller one. */
export interface Plugin {
  readonly plugin: ESLint.Plugin;
  /** The findings, with their paths, of a file that was just linted. */
  readonly findingsOf: (sourceCode: SourceCode) => readonly Finding[];
}

export const prefix = 'poolguard/';

/** Rule ids as users write them: `poolguard/<rule>`. */
export function ruleIdsOf({ plugin }: Plugin): string[] {
  return Object.keys(plugin.rules ?? {}).map((name) => `${prefix}${name}`);
}

/** Empty when the plugin has no preset of that name. */
export function presetOf({ plugin }: Plugin, name: string): readonly Linter.Config[] {
  const preset = plugin.configs?.[name];
  if (preset === undefined) return [];
  return (Array.isArray(preset) ? preset : [preset]) as Linter.Config[];
}

/** What a machine or a person may want to know about a rule. */
export interface RuleFacts {
  readonly description?: string;
  readonly url?: string;
}

export function factsOf({ plugin }: Plugin, ruleId: string): RuleFacts {
  const rule = plugin.rules?.[ruleId.replace(prefix, '')];
  const { description, url } = (rule?.meta?.docs ?? {}) as RuleFacts;
  return { ...(description === undefined ? {} : { description }), ...(url === undefined ? {} : { url }) };
}
