import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { CheckSettings, RuleSettings } from '../../lint/check-file.ts';
import { leavingOut } from '../../lint/find-files.ts';
import type { KnownRules, Severities } from '../../lint/known-rules.ts';
import type { Pooler } from '../../lint/pooler.ts';
import type { CliIo } from '../cli-io.ts';
import { CouldNotRun } from '../exit-code.ts';
import { askEslint, isEslintConfiguration, type EslintRules } from './eslint-configuration.ts';
import { findUpwards } from './folders.ts';
import type { LintFlags } from './lint-flags.ts';
import {
  ownConfigurationNames,
  readOwnConfiguration,
  type OwnConfiguration,
} from './own-configuration.ts';
import { settle, type RuleEntries } from './rule-entries.ts';
import { readRuleOption } from './rule-option.ts';

/** What applies to files. */
export interface Configuration {
  /** Those that are linted. */
  readonly files: readonly string[];
  readonly checks: Required<Pick<CheckSettings, 'configurations' | 'chosen'>>;
  /** The configuration that counts for a file; null where it is the preset alone. */
  readonly fileOf: (path: string) => string | null;
  readonly maxWarnings: number;
}

/** What is linted how, and where that is written. */
interface Source {
  readonly file: string | null;
  readonly rules: RuleSettings | null;
}

/**
 * Which rules run in which of the files: ESLint's configuration says so where it runs our plugin, else our own, else a preset, and the options
 * of the command line over all of them. Throws `CouldNotRun` for what cannot be understood.
 */
export async function configure(
  files: readonly string[],
  paths: readonly string[],
  flags: LintFlags,
  io: CliIo,
  known: KnownRules,
): Promise<Configuration> {
  const named = namedConfiguration(flags, io.cwd);
  const typed = await Promise.all((flags.rule ?? []).map((each) => readRuleOption(each, known)));
  const eslint = await readEslint(files, paths, named, flags, io, known);
  const rest = files.filter((file) => !eslint.has(file));
  const own =
    rest.length > 0 ? await findOwn(named, flags, io.cwd, known) : { file: null, says: nothing };
  const ofEslint = keptByIdentity((each: EslintRules) => fromEslint(each, flags, typed, known));
  const ours: Source = { file: own.file, rules: fromOwn(own.says, flags, typed, known) };
  const left: Source = { file: own.file, rules: null };
  const isLeftOut = leavingOut(own.says.ignores, dirname(own.file ?? join(io.cwd, 'any')));
  const sources = new Map(
    files.map((path) => {
      const rules = eslint.get(path);
      return [path, rules === undefined ? (isLeftOut(path) ? left : ours) : ofEslint(rules)];
    }),
  );
  return {
    files: files.filter((path) => sources.get(path)?.rules !== null),
    checks: toChecks(sources),
    fileOf: (path) => sources.get(path)?.file ?? null,
    maxWarnings: flags.maxWarnings ?? own.says.maxWarnings ?? Infinity,
  };
}

/** A file that was named; undefined where configurations are looked for. */
function namedConfiguration({ config }: LintFlags, cwd: string): string | undefined {
  if (config === undefined || config === false) return undefined;
  const file = resolve(cwd, config);
  if (!existsSync(file)) throw new CouldNotRun(`--config: ${config} does not exist.`);
  return file;
}

async function readEslint(
  files: readonly string[],
  paths: readonly string[],
  named: string | undefined,
  { config }: LintFlags,
  { cwd, engineBundle, signal }: CliIo,
  known: KnownRules,
): Promise<ReadonlyMap<string, EslintRules>> {
  const isOther = named !== undefined && !isEslintConfiguration(named);
  if (config === false || isOther || engineBundle === undefined) return new Map();
  const bundle = join(dirname(engineBundle), 'eslint-config.cjs');
  const found = await askEslint({ files, paths, cwd, config: named, bundle, signal }, known);
  if (named !== undefined && found.size === 0)
    throw new CouldNotRun(
      `--config: ${relative(cwd, named)} runs no rule of eslint-plugin-poolguard in these files.`,
    );
  return found;
}

const nothing: OwnConfiguration = { rules: {}, ignores: [] };

async function findOwn(
  named: string | undefined,
  { config }: LintFlags,
  cwd: string,
  known: KnownRules,
): Promise<{ readonly file: string | null; readonly says: OwnConfiguration }> {
  const file = config === false ? undefined : (named ?? findUpwards(cwd, ownConfigurationNames));
  return file === undefined || isEslintConfiguration(file)
    ? { file: null, says: nothing }
    : { file, says: await readOwnConfiguration(file, cwd, known) };
}

function fromOwn(
  { preset = 'recommended', rules, pooler }: OwnConfiguration,
  flags: LintFlags,
  typed: readonly RuleEntries[],
  known: KnownRules,
): RuleSettings {
  const front = flags.pooler ?? pooler;
  return {
    ...settle(known, severitiesOf(flags.preset ?? preset, front, known), [rules, ...typed]),
    ...(front === undefined ? {} : { pooler: front }),
    writtenIn: 'command line',
  };
}

/** A preset that was typed takes the place of ESLint's rules; which files are linted ESLint says all the same. */
function fromEslint(
  { file, rules, written }: EslintRules,
  { preset, pooler }: LintFlags,
  typed: readonly RuleEntries[],
  known: KnownRules,
): Source {
  if (rules === null) return { file, rules };
  const entries = preset === undefined ? [rules, ...typed] : typed;
  const settled = settle(known, severitiesOf(preset, pooler, known), entries);
  const isIdle = Object.values(settled.severities).every((severity) => severity === 'off');
  return {
    file,
    rules: isIdle ? null : { ...settled, ...(pooler === undefined ? { written } : { pooler }) },
  };
}

/** A pooler that does not keep sessions brings the rules about it. */
function severitiesOf(
  preset: string | undefined,
  pooler: Pooler | undefined,
  { presets }: KnownRules,
): Severities {
  const isShared = pooler !== undefined && pooler.mode !== 'session';
  return {
    ...(preset === undefined ? {} : presets[preset]),
    ...(isShared ? presets['transaction-pooling'] : {}),
  };
}

function toChecks(sources: ReadonlyMap<string, Source>): Configuration['checks'] {
  const configurations = [...new Set([...sources.values()].flatMap(({ rules }) => rules ?? []))];
  const chosen = [...sources].flatMap(([path, { rules }]) => {
    const index = rules === null ? 0 : configurations.indexOf(rules);
    return index > 0 ? [[path, index] as const] : [];
  });
  return { configurations, chosen: new Map(chosen) };
}

function keptByIdentity<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>();
  return (key) => {
    if (!made.has(key)) made.set(key, make(key));
    return made.get(key) as Value;
  };
}
