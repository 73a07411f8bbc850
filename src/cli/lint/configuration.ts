import type { CheckSettings, RuleSettings } from '../../lint/check-file.ts';
import type { KnownRules, Severities } from '../../lint/known-rules.ts';
import type { Pooler } from '../../lint/pooler.ts';
import { settle, type RuleEntries } from './rule-entries.ts';
import { readRuleOption } from './rule-option.ts';
import type { LintFlags } from './lint-flags.ts';

/** What applies to which file. */
export type Configuration = Required<Pick<CheckSettings, 'configurations' | 'chosen'>>;

/** Throws `CouldNotRun` for what cannot be understood. */
export async function configure(flags: LintFlags, known: KnownRules): Promise<Configuration> {
  const typed = await readTypedRules(flags, known);
  const { preset, pooler } = flags;
  const rules: RuleSettings = {
    ...settle(known, severitiesOf(preset, pooler, known), typed),
    ...(pooler === undefined ? {} : { pooler }),
  };
  return { configurations: [rules], chosen: new Map() };
}

async function readTypedRules(
  { rule = [] }: LintFlags,
  known: KnownRules,
): Promise<readonly RuleEntries[]> {
  return Promise.all(rule.map((each) => readRuleOption(each, known)));
}

/** A pooler that does not keep sessions brings the rules about it. */
function severitiesOf(
  preset: string,
  pooler: Pooler | undefined,
  { presets }: KnownRules,
): Severities {
  const isShared = pooler !== undefined && pooler.mode !== 'session';
  return { ...presets[preset], ...(isShared ? presets['transaction-pooling'] : {}) };
}
