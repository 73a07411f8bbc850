import type { RuleSettings } from '../../lint/check-file.ts';
import type { KnownRule, KnownRules, Severities } from '../../lint/known-rules.ts';
import { prefix } from '../../lint/analyser.ts';
import { readEntry, type RuleEntry } from '../../lint/rule-entry.ts';
import { CouldNotRun } from '../exit-code.ts';
import { nearestName } from '../nearest-name.ts';

/** By `poolguard/<rule>`. */
export type RuleEntries = Readonly<Record<string, RuleEntry>>;

/** Reads rules as ESLint's configurations have them, with or without `poolguard/`. Throws `CouldNotRun`; `place` is where they are written. */
export function readRuleEntries(
  written: Readonly<Record<string, unknown>>,
  place: string,
  { rules }: KnownRules,
): RuleEntries {
  return Object.fromEntries(
    Object.entries(written).map(([name, value]) => {
      const rule = readRule(name, place, rules);
      const entry = readEntry(value, rule);
      if (typeof entry === 'string') throw new CouldNotRun(`${place}: ${entry}.`);
      return [rule.id, entry];
    }),
  );
}

/** Finds a rule by its name, with or without `poolguard/`. Throws `CouldNotRun` where there is none; `place` is where it is written. */
export function readRule(name: string, place: string, rules: readonly KnownRule[]): KnownRule {
  const bare = name.startsWith(prefix) ? name.slice(prefix.length) : name;
  const rule = rules.find(({ id }) => id === `${prefix}${bare}`);
  if (rule !== undefined) return rule;
  const names = rules.map(({ id }) => id.slice(prefix.length));
  const near = nearestName(bare, names);
  throw new CouldNotRun(
    `${place}: there is no rule ${name}.${near === null ? '' : ` Did you mean ${near}?`} The rules are ${names.join(', ')}.`,
  );
}

/** Each rule as the last entry has it that names it, else as `base` has it, else off. */
export function settle(
  { rules }: KnownRules,
  base: Severities,
  written: readonly RuleEntries[],
): Required<Pick<RuleSettings, 'severities' | 'options'>> {
  const entries = (id: string) => written.flatMap((each) => each[id] ?? []);
  return {
    severities: Object.fromEntries(
      rules.map(({ id }) => [id, entries(id).at(-1)?.severity ?? base[id] ?? 'off']),
    ),
    options: Object.fromEntries(
      rules.flatMap(({ id }) => {
        const options = entries(id).findLast((each) => each.options.length > 0)?.options;
        return options === undefined ? [] : [[id, options]];
      }),
    ),
  };
}
