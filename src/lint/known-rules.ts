import { describedRules } from '../../rules/described-rules.ts';
import { presetNames } from '../../rules/rule-text.ts';
import type { Severity } from './rule-entry.ts';
import { prefix, type RuleFacts } from './analyser.ts';
import { optionsIn } from './rule-entry.ts';

/** By `poolguard/<rule>`. */
export type Severities = Readonly<Record<string, Severity>>;

/** What is known of a plugin's rules without loading it. */
export interface KnownRules {
  /** The rules that each preset runs. */
  readonly presets: Readonly<Record<string, Severities>>;
  readonly rules: readonly KnownRule[];
}

export interface KnownRule extends RuleFacts {
  /** `poolguard/<rule>` */
  readonly id: string;
  /** The JSON schemas of what its one options object may have. */
  readonly options?: Readonly<Record<string, object>>;
  /** The kinds of its suggestions that change nothing besides what it reports. */
  readonly safeSuggestions?: readonly string[];
}

export const poolguardRules: KnownRules = {
  presets: Object.fromEntries(
    presetNames.map((name) => [
      name,
      Object.fromEntries(
        describedRules.flatMap(({ id, meta: { docs } }) => {
          const severity = docs.severities[name];
          return severity === undefined ? [] : [[`${prefix}${id}`, severity]];
        }),
      ),
    ]),
  ),
  rules: describedRules.map(({ id, meta: { docs, schema } }) => ({
    id: `${prefix}${id}`,
    description: docs.description,
    url: docs.url,
    options: optionsIn(schema),
    safeSuggestions: docs.safeSuggestions,
  })),
};
