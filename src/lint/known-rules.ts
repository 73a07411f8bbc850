import { describedRules } from '../../rules/described-rules.ts';
import { presetNames } from '../../rules/rule-text.ts';
import { prefix, type RuleFacts } from './plugin.ts';

/** What is known of a plugin's rules without loading it. */
export interface KnownRules {
  readonly presets: readonly string[];
  readonly rules: readonly KnownRule[];
}

export interface KnownRule extends RuleFacts {
  /** `poolguard/<rule>` */
  readonly id: string;
}

export const poolguardRules: KnownRules = {
  presets: presetNames,
  rules: describedRules.map(({ id, meta: { docs } }) => ({
    id: `${prefix}${id}`,
    description: docs.description,
    url: docs.url,
  })),
};
