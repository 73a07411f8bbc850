import * as v from 'valibot';
import type { RuleSettings } from '../../lint/check-file.ts';
import type { KnownRule, KnownRules, Severities } from '../../lint/known-rules.ts';
import type { Severity } from '../../lint/linter.ts';
import { prefix } from '../../lint/plugin.ts';
import { whole } from '../../schema/fields.ts';
import { whatIsWrong } from '../../schema/what-is-wrong.ts';
import { CouldNotRun } from '../exit-code.ts';
import { nearestName } from '../nearest-name.ts';

/** What a configuration says of a rule. */
export interface RuleEntry {
  readonly severity: Severity;
  /** Empty where only a severity is written, which leaves the options as they are. */
  readonly options: readonly unknown[];
}

/** By `poolguard/<rule>`. */
export type RuleEntries = Readonly<Record<string, RuleEntry>>;

const severities = new Map<string, Severity>([
  ['off', 'off'],
  ['0', 'off'],
  ['warn', 'warn'],
  ['warning', 'warn'],
  ['1', 'warn'],
  ['error', 'error'],
  ['2', 'error'],
]);

const spelling =
  "Write a severity (off, warn or error), or a list of it and the rule's options, for example [error, { allow: [set] }]";

/** Reads rules as ESLint's configurations have them, with or without `poolguard/`. Throws `CouldNotRun`; `place` is where they are written. */
export function readRuleEntries(
  written: Readonly<Record<string, unknown>>,
  place: string,
  { rules }: KnownRules,
): RuleEntries {
  return Object.fromEntries(
    Object.entries(written).map(([name, value]) => {
      const rule = readRule(name, place, rules);
      return [rule.id, readEntry(value, rule, place)];
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

function readEntry(value: unknown, rule: KnownRule, place: string): RuleEntry {
  const [word, ...options] = Array.isArray(value) ? (value as unknown[]) : [value];
  const severity = severities.get(String(word));
  if (severity === undefined)
    throw new CouldNotRun(`${place}: ${rule.id} has no severity. ${spelling}.`);
  const read = v.safeParse(v.pipe(v.array(optionsSchema(rule)), v.maxLength(1)), options);
  if (!read.success)
    throw new CouldNotRun(
      `${place}: the options of ${rule.id} are not valid: ${whatIsWrong(read.issues).replace(/^\[0\]\.?/u, '')}.`,
    );
  return { severity, options };
}

function optionsSchema({ options = {} }: KnownRule): v.GenericSchema {
  return v.strictObject(
    Object.fromEntries(
      Object.entries(options).map(([name, schema]) => [name, v.exactOptional(schemaOf(schema))]),
    ),
  );
}

interface JsonSchema {
  readonly type?: string;
  readonly items?: JsonSchema;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

/** The kinds of JSON schema that rules have for an option. */
const kinds: Readonly<Record<string, (schema: JsonSchema) => v.GenericSchema>> = {
  boolean: () => v.boolean(),
  string: () => v.string(),
  integer: ({ minimum = -Infinity, maximum = Infinity }) => whole(minimum, maximum),
  array: ({ items = {} }) => v.array(schemaOf(items)),
};

function schemaOf(schema: JsonSchema): v.GenericSchema {
  if (schema.enum !== undefined) return v.picklist(schema.enum);
  const kind = kinds[schema.type ?? ''];
  if (kind === undefined)
    throw new Error(`A rule has an option of the unknown type ${schema.type}.`);
  return kind(schema);
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
