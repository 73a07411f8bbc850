import * as v from 'valibot';
import { intervals, type IntervalSeconds } from '../activity/snapshot.ts';
import { poolers, poolModes } from '../../rules/model/poolers.ts';
import { thresholdNames, thresholdTable, type ThresholdName } from '../activity/thresholds.ts';
import type { Severity } from '../lint/linter.ts';
import { flag, soundEntriesOf, soundOf, text, within, type OutputOf } from '../schema/fields.ts';

const mostPatterns = 500;
const longestPattern = 300;
const presets = ['recommended', 'strict', 'transaction-pooling'] as const;
export const Preset = v.picklist(presets);
export type Preset = v.InferOutput<typeof Preset>;
const severities = ['off', 'warn', 'error'] as const satisfies readonly Severity[];

export type ThresholdKey = `activity.thresholds.${ThresholdName}`;

/** One setting as the settings editor shows it, and how what was typed is read. */
export interface Setting<Value> {
  /** `resource` may differ from folder to folder, `machine` never comes from a workspace. */
  readonly scope: 'resource' | 'machine' | 'window';
  /** Stands for what makes no sense, too. */
  readonly default: Value;
  /** Its values, in the words of JSON schema. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Markdown, whole sentences. */
  readonly description: string;
  readonly values: v.GenericSchema<unknown, Value>;
}

const generated = [
  '**/node_modules/**',
  '**/dist/**',
  '**/build/**',
  '**/coverage/**',
  '**/*.min.{js,mjs,cjs}',
];

/** What a user may choose, by its key without the leading `poolguard.`: this is the only list, all others are made from it. */
export const settings = {
  'lint.enable': toggle(
    true,
    'resource',
    'Check JavaScript and TypeScript files for connection-pool bugs.',
  ),
  'lint.preset': choice(
    presets,
    'resource',
    'The rules that are on: for every service, all of them, or for an application behind a pooler in transaction mode.',
    [
      'What does harm in any service.',
      'Every rule, advice included.',
      'For an application behind PgBouncer and its kin in transaction mode.',
    ],
  ),
  'lint.rules': {
    scope: 'resource',
    default: {},
    schema: { type: 'object', additionalProperties: { type: 'string', enum: severities } },
    description:
      'Severity of single rules, for example `{ "no-session-state": "off" }`. It counts for more than the preset. A rule that is left to ESLint or oxlint keeps the severity that it has there.',
    values: soundEntriesOf(
      v.pipe(
        text,
        v.transform((severity) => (severity === 'warning' ? 'warn' : severity)),
        v.picklist(severities),
      ),
    ),
  } satisfies Setting<Readonly<Record<string, Severity>>>,
  'lint.exclude': {
    ...texts(
      generated,
      'resource',
      'Glob patterns of files that are not checked, relative to their workspace folder: `*`, `**`, `?`, `[…]` and `{…,…}`. Patterns with parentheses or more than six stars are ignored.',
    ),
    values: soundOf(v.pipe(text, v.check(isTamePattern)), mostPatterns),
  },
  'lint.run': choice(['onType', 'onSave'], 'resource', 'When a file is checked.', [
    'While you type.',
    'When it is opened and when it is saved.',
  ]),
  'lint.whenEslintReports': choice(
    ['defer', 'own', 'both'],
    'resource',
    'What happens to a rule that ESLint or oxlint reports in the editor too, because the workspace uses `eslint-plugin-poolguard`. In a trusted workspace the configuration of ESLint is asked, which runs it.',
    [
      'Theirs is shown, ours steps aside, rule by rule and file by file; their severities and options count.',
      'Ours is shown as the settings here say; the configuration of ESLint is not asked. `"eslint.rules.customizations": [{ "rule": "poolguard/*", "severity": "off" }]` hides theirs.',
      'Both are shown, ours with their options, and with their severities where `poolguard.lint.rules` names none.',
    ],
  ),
  'lint.heldSpans': toggle(
    false,
    'resource',
    'Show where a client is held: how long, at the line that checks it out, and a bar beside the lines.',
  ),
  'codeLens.enable': toggle(
    true,
    'resource',
    'Show above each `new Pool(…)` how many clients it may have, and what the connected server allows.',
  ),
  'codeLens.probeQuery': toggle(
    true,
    'resource',
    'Offer to probe a query above each line that sends a statement which only reads, while a database is connected.',
  ),
  'probe.markMax': toggle(
    true,
    'resource',
    'Mark a `max` that the last probe of the connected database contradicts.',
  ),
  pooler: {
    scope: 'resource',
    default: '',
    schema: {
      type: 'string',
      pattern: `^(?:(?:${poolers.map(({ kind }) => kind).join('|')})(?::(?:${poolModes.join('|')})(?::\\d+(?:\\.\\d+)*)?)?)?$`,
      patternErrorMessage: `Write kind[:mode[:version]]; kinds are ${poolers.map(({ kind }) => kind).join(', ')}.`,
    },
    description:
      'The pooler between the application and PostgreSQL, written `kind[:mode[:version]]`: `pgbouncer`, `pgbouncer:session`, `pgbouncer:transaction:1.21`. Empty for none.',
    values: text,
  } satisfies Setting<string>,
  directAddresses: texts(
    [],
    'resource',
    'Names of variables that hold an address of the server itself, not of the pooler, in addition to `DIRECT_URL` and the like: `["MIGRATION_URL"]`.',
  ),
  'connections.find': toggle(
    true,
    'machine',
    'Offer the connections that `.env*` and Compose files of a trusted workspace name, and `PG*` variables, `.pgpass` and `pg_service.conf`. Files are read when you connect; nothing is run, and nothing is opened by itself.',
  ),
  'activity.intervalSeconds': {
    scope: 'machine',
    default: 2,
    schema: { type: 'number', enum: intervals },
    description:
      'Seconds between two looks at the server while the sidebar can be seen: 1, 2, 5 or 10.',
    values: v.picklist(intervals),
  } satisfies Setting<IntervalSeconds>,
  ...thresholdSettings(),
  'trace.server': choice(
    ['off', 'messages', 'verbose'],
    'window',
    'Which messages between the editor and the language server are logged in the output channel.',
    ['Nothing.', 'The messages.', 'The messages with what is in them.'],
  ),
};

export type SettingKey = keyof typeof settings;
export type Settings = {
  readonly [Key in SettingKey]: OutputOf<(typeof settings)[Key]['values']>;
};

/**
 * Patterns come from workspaces that nobody vouches for, and become regular expressions: groups and many stars
 * can make one that takes for ever to say no.
 */
function isTamePattern(pattern: string): boolean {
  if (pattern === '' || pattern.length > longestPattern || /[()]/u.test(pattern)) return false;
  const stars = (text: string) => text.match(/\*+/gu)?.length ?? 0;
  return stars(pattern) <= 6 && pattern.split('/').every((part) => stars(part) <= 3);
}

/** Reads what `workspace/configuration` answers for the section `poolguard`; what makes no sense, or is not said, is left at its default. */
export function readSettings(raw: unknown): Settings {
  const entries = Object.entries(settings).map(([key, setting]) => [
    key,
    readValue<unknown>(setting, valueAt(raw, key)),
  ]);
  return Object.fromEntries(entries) as Settings;
}

export function readValue<Value>(setting: Setting<Value>, raw: unknown): Value {
  return v.parse(v.fallback(setting.values, setting.default), raw);
}

const Section = v.record(text, v.unknown());

function valueAt(raw: unknown, key: string): unknown {
  return key
    .split('.')
    .reduce<unknown>((value, part) => (v.is(Section, value) ? value[part] : undefined), raw);
}

/** Of this machine only: a workspace of strangers could hide what it does to a server. */
function thresholdSettings(): { readonly [Key in ThresholdKey]: Setting<number> } {
  const rows = thresholdNames.map((name) => {
    const { default: usual, minimum, maximum, description } = thresholdTable[name];
    const setting: Setting<number> = {
      scope: 'machine',
      default: usual,
      schema: { type: 'number', minimum, maximum },
      description,
      values: within(minimum, maximum),
    };
    return [toThresholdKey(name), setting];
  });
  return Object.fromEntries(rows) as { readonly [Key in ThresholdKey]: Setting<number> };
}

export function toThresholdKey(name: ThresholdName): ThresholdKey {
  return `activity.thresholds.${name}`;
}

function toggle(
  value: boolean,
  scope: Setting<boolean>['scope'],
  description: string,
): Setting<boolean> {
  return {
    scope,
    default: value,
    schema: { type: 'boolean' },
    description,
    values: flag,
  };
}

/** The first value is the default; each value has its own description. */
function choice<Value extends string>(
  values: readonly [Value, ...Value[]],
  scope: Setting<Value>['scope'],
  description: string,
  descriptions: readonly string[],
): Setting<Value> {
  return {
    scope,
    default: values[0],
    schema: { type: 'string', enum: values, markdownEnumDescriptions: descriptions },
    description,
    values: v.picklist(values),
  };
}

function texts(
  value: readonly string[],
  scope: Setting<readonly string[]>['scope'],
  description: string,
): Setting<readonly string[]> {
  return {
    scope,
    default: value,
    schema: { type: 'array', items: { type: 'string' } },
    description,
    values: soundOf(text),
  };
}
