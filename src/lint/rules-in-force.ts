import type { DescribedRule, PresetName } from '../../rules/rule-text.ts';
import type { Place } from '../../rules/syntax/place.ts';
import { prefix } from './analyser.ts';
import type { Directives, Written } from './directives.ts';
import type { Pooler } from './pooler.ts';
import type { Problem } from './problem.ts';
import { optionsIn, readEntry, type RuleEntry, type Severity } from './rule-entry.ts';
import { failed } from './to-problem.ts';

/** Which rules run, and how. */
export interface RuleChoice {
  /** `recommended` when not said. */
  readonly preset?: string;
  /** Behind one that is not in session mode the rules of `transaction-pooling` run as well. */
  readonly pooler?: Pooler;
  /** By `poolguard/<rule>`; rules not named keep the severity of the preset. */
  readonly severities?: Readonly<Record<string, Severity>>;
  /** By `poolguard/<rule>`; of rules that have a severity here. */
  readonly options?: Readonly<Record<string, readonly unknown[]>>;
}

/** A rule with its severity and its options. */
export interface RuleInForce extends RuleEntry {
  readonly rule: DescribedRule;
}

/** Each rule as settings have it. */
export function rulesInForce(
  rules: readonly DescribedRule[],
  { preset = 'recommended', pooler, severities = {}, options = {} }: RuleChoice,
): readonly RuleInForce[] {
  const isPooled = pooler !== undefined && pooler.mode !== 'session';
  const presets = [...(isPooled ? ['transaction-pooling'] : []), preset] as readonly PresetName[];
  return rules.map((rule) => {
    const id = idOf(rule);
    const own = severities[id];
    const [byPreset = 'off'] = presets.flatMap((each) => rule.meta.docs.severities[each] ?? []);
    return {
      rule,
      severity: own ?? byPreset,
      options: own === undefined ? [] : (options[id] ?? []),
    };
  });
}

/** With what comments of a file say, the first that can be followed for each rule; options stay where it has a severity only. */
export function asCommentsSay(
  rules: readonly RuleInForce[],
  { configured }: Directives,
): readonly RuleInForce[] {
  if (configured.size === 0) return rules;
  return rules.map((each) => {
    const { entry } = readComments(configured.get(idOf(each.rule)) ?? [], each.rule);
    if (entry === undefined) return each;
    return { ...each, ...entry, options: [...entry.options, ...each.options].slice(0, 1) };
  });
}

/** Comments about rules of ours that there are not, or that say of one what cannot be followed. Those about other rules are left to others. */
export function mistakenComments(
  { configured, named }: Directives,
  rules: readonly DescribedRule[],
): readonly Problem[] {
  const known = new Map(rules.map((rule) => [idOf(rule), rule]));
  const isMistaken = (id: string) => id.startsWith(prefix) && !known.has(id);
  const unknown = [
    ...named,
    ...[...configured].flatMap(([rule, all]) => all.map(({ place }) => ({ rule, place }))),
  ].filter(({ rule }) => isMistaken(rule));
  return [
    ...unknown.map(({ rule, place }) => told(rule, place, `There is no rule ${rule}.`)),
    ...[...known].flatMap(([id, rule]) =>
      readComments(configured.get(id) ?? [], rule).wrong.map(({ place, why }) =>
        told(id, place, `In this comment ${why}.`),
      ),
    ),
  ];
}

function told(rule: string, place: Place, message: string): Problem {
  return { ...failed(message, place), rule };
}

function idOf({ id }: DescribedRule): string {
  return `${prefix}${id}`;
}

/** The first entry that can be followed, and what is wrong with those before it. */
function readComments(
  comments: readonly Written[],
  rule: DescribedRule,
): {
  readonly entry?: RuleEntry;
  readonly wrong: readonly { readonly place: Place; readonly why: string }[];
} {
  const wrong: { place: Place; why: string }[] = [];
  for (const { value, place } of comments) {
    const entry = readEntry(value, { id: idOf(rule), options: optionsIn(rule.meta.schema) });
    if (typeof entry !== 'string') return { entry, wrong };
    wrong.push({ place, why: entry });
  }
  return { wrong };
}
