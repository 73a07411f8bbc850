import * as v from 'valibot';
import { intervals, type IntervalSeconds } from '../activity/snapshot.ts';
import { longestGlob } from '../globs/glob.ts';
import { poolers, poolModes } from '../../rules/model/poolers.ts';
import { thresholdNames, thresholdTable, type ThresholdName } from '../activity/thresholds.ts';
import type { Severity } from '../lint/rule-entry.ts';
import { flag, soundEntriesOf, soundOf, text, within, type OutputOf } from '../schema/fields.ts';

const mostPatterns = 500;
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
  'lint.preset': choice(presets, 'resource', 'Which rules run by default.', [
    'Rules for bugs that affect any service.',
    'All rules, including advice.',
    'For applications behind PgBouncer or a similar pooler in transaction mode.',
  ]),
  'lint.rules': {
    scope: 'resource',
    default: {},
    schema: { type: 'object', additionalProperties: { type: 'string', enum: severities } },
    description:
      'Severity of individual rules, for example `{ "no-session-state": "off" }`. Overrides the preset. Rules that ESLint or oxlint reports keep their severity from there.',
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
      'Glob patterns of files to exclude, relative to the workspace folder: `*`, `**`, `?`, `[…]`, `{…,…}` and `!(…|…)`.',
    ),
    values: soundOf(v.pipe(text, v.minLength(1), v.maxLength(longestGlob)), mostPatterns),
  },
  'lint.run': choice(['onType', 'onSave'], 'resource', 'When files are checked.', [
    'As you type.',
    'When a file is opened or saved.',
  ]),
  'lint.whenEslintReports': choice(
    ['defer', 'own', 'both'],
    'resource',
    'Whose findings to show if ESLint or oxlint runs `eslint-plugin-poolguard` in the editor too. In a trusted workspace, Poolguard loads the ESLint configuration to find out, which runs its code.',
    [
      "Hide Poolguard's findings for each rule and file that ESLint or oxlint checks; show the linter's.",
      'Show the findings of Poolguard, with the severities from these settings; do not load the ESLint configuration. To hide those of ESLint, set `"eslint.rules.customizations": [{ "rule": "poolguard/*", "severity": "off" }]`.',
      "Show both. Poolguard uses the linter's options, and its severities for rules that `poolguard.lint.rules` does not set.",
    ],
  ),
  'lint.heldSpans': toggle(
    false,
    'resource',
    'Show where a client is held: a bar next to the lines, and a hint where it is checked out.',
  ),
  'codeLens.enable': toggle(
    true,
    'resource',
    'Show above each `new Pool(…)` its maximum size, and how many connections the connected server allows.',
  ),
  'codeLens.probeQuery': toggle(
    true,
    'resource',
    'Show "Probe this query" above read-only queries while a database is connected.',
  ),
  'probe.markMax': toggle(
    true,
    'resource',
    'Mark each `max` that differs from what the last probe of the connected database recommends.',
  ),
  pooler: {
    scope: 'resource',
    default: '',
    schema: {
      type: 'string',
      pattern: `^(?:(?:${poolers.map(({ kind }) => kind).join('|')})(?::(?:${poolModes.join('|')})(?::\\d+(?:\\.\\d+)*)?)?)?$`,
      patternErrorMessage: `Use kind[:mode[:version]], with one of these kinds: ${poolers.map(({ kind }) => kind).join(', ')}.`,
    },
    description:
      'The pooler between the application and PostgreSQL, as `kind[:mode[:version]]`: `pgbouncer`, `pgbouncer:session`, `pgbouncer:transaction:1.21`. Leave empty if there is none.',
    values: text,
  } satisfies Setting<string>,
  directAddresses: texts(
    [],
    'resource',
    'Variables that hold the address of the server itself rather than the pooler, in addition to `DIRECT_URL` and similar names: `["MIGRATION_URL"]`.',
  ),
  'connections.find': toggle(
    true,
    'machine',
    'Suggest connections from `.env*` and Compose files of a trusted workspace, `PG*` variables, `.pgpass` and `pg_service.conf`. Files are read when you connect; no code is run, and no connection is opened automatically.',
  ),
  'activity.intervalSeconds': {
    scope: 'machine',
    default: 2,
    schema: { type: 'number', enum: intervals },
    description: 'Refresh interval in seconds while the sidebar is visible: 1, 2, 5 or 10.',
    values: v.picklist(intervals),
  } satisfies Setting<IntervalSeconds>,
  ...thresholdSettings(),
  'trace.server': choice(
    ['off', 'messages', 'verbose'],
    'window',
    'Which messages between the editor and the language server to write to the output channel.',
    ['None.', 'Message names only.', 'Messages with their content.'],
  ),
};

export type SettingKey = keyof typeof settings;
export type Settings = {
  readonly [Key in SettingKey]: OutputOf<(typeof settings)[Key]['values']>;
};

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
