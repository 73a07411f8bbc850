import type { PoolguardRule } from '../../rules/create-rule.ts';
import type { PresetName } from '../../rules/rule-text.ts';

/** What the documents tell of a rule, as the rule itself says it. */
export interface RuleFacts {
  readonly id: string;
  readonly description: string;
  readonly url: string;
  readonly severities: Readonly<Record<PresetName, 'error' | 'warn' | 'off'>>;
  readonly hasSuggestions: boolean;
  readonly options: readonly OptionFacts[];
}

export interface OptionFacts {
  readonly name: string;
  readonly description: string;
  /** The values it takes, in words. */
  readonly type: string;
  readonly default: unknown;
}

interface OptionSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly items?: OptionSchema;
}

const rank = { error: 0, warn: 1, off: 2 };

/** The rules as tables list them: by what `recommended` does with them, then by name. */
export function factsOf(rules: Readonly<Record<string, PoolguardRule>>): readonly RuleFacts[] {
  const facts = Object.entries(rules).map(([id, { meta }]): RuleFacts => ({
    id,
    description: meta.docs.description,
    url: meta.docs.url,
    severities: {
      recommended: 'off',
      strict: 'off',
      'transaction-pooling': 'off',
      ...meta.docs.severities,
    },
    hasSuggestions: meta.hasSuggestions === true,
    options: optionsOf(meta),
  }));
  return facts.sort(
    (one, other) =>
      rank[one.severities.recommended] - rank[other.severities.recommended] ||
      one.id.localeCompare(other.id),
  );
}

function optionsOf({ schema, defaultOptions }: PoolguardRule['meta']): readonly OptionFacts[] {
  const [object] = (Array.isArray(schema) ? schema : []) as readonly {
    readonly properties?: Readonly<Record<string, OptionSchema>>;
  }[];
  const defaults = (defaultOptions?.[0] ?? {}) as Readonly<Record<string, unknown>>;
  return Object.entries(object?.properties ?? {}).map(([name, option]) => ({
    name,
    description: option.description ?? '',
    type: typeOf(option),
    default: defaults[name],
  }));
}

function typeOf({ type, enum: values, items }: OptionSchema): string {
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(', ');
  if (type === 'array') return `list of ${items === undefined ? 'values' : typeOf(items)}`;
  return typeof type === 'string' ? type : (type ?? []).join(' or ');
}
