import { basename, dirname, relative, resolve } from 'node:path';
import type { RuleSettings } from '../../lint/check-file.ts';
import type { KnownRules } from '../../lint/known-rules.ts';
import { createConfigProcess } from '../../server/eslint-config/config-process.ts';
import { eslintConfigNames, mayRunPlugin } from '../../server/eslint-config/find-config.ts';
import type { ConfigAnswer, ConfigQuestion } from '../../server/eslint-config/messages.ts';
import { CouldNotRun } from '../exit-code.ts';
import { findUpwards } from './folders.ts';
import { readRuleEntries, type RuleEntries } from './rule-entries.ts';

/** What the project's ESLint does with our rules in a file. */
export interface EslintRules {
  /** The configuration. */
  readonly file: string;
  /** Null for what ESLint ignores. */
  readonly rules: RuleEntries | null;
  readonly written: RuleSettings['written'];
}

interface Asking {
  readonly files: readonly string[];
  /** What was named on the command line; above it configurations are looked for. */
  readonly paths: readonly string[];
  readonly cwd: string;
  /** A configuration that was named; without one each file has the nearest. */
  readonly config?: string | undefined;
  /** The bundle that runs ESLint in a process of its own. */
  readonly bundle: string;
  readonly signal: AbortSignal;
}

/** A configuration with many plugins takes seconds. */
const limitMs = 60_000;

export function isEslintConfiguration(file: string): boolean {
  return eslintConfigNames.includes(basename(file));
}

/**
 * What ESLint's configurations say about files, by their paths: nothing for those whose configuration does not run our plugin. One that cannot
 * run it, as its text and the installed packages tell, is not run. Throws `CouldNotRun` for a configuration that fails.
 */
export async function askEslint(
  asking: Asking,
  known: KnownRules,
): Promise<ReadonlyMap<string, EslintRules>> {
  const found = new Map<string, EslintRules>();
  const groups = groupsOf(asking);
  if (groups.size === 0) return found;
  const child = createConfigProcess({ file: asking.bundle, limitMs, idleMs: limitMs });
  const end = () => {
    child.end();
  };
  asking.signal.addEventListener('abort', end, { once: true });
  try {
    for (const [file, paths] of groups) {
      const folder = asking.config === undefined ? dirname(file) : asking.cwd;
      const question = { paths, folder, ...(asking.config === undefined ? {} : { config: file }) };
      for (const [path, rules] of await answersTo(
        question,
        file,
        (asked) => child.ask(asked),
        asking.cwd,
        known,
      ))
        found.set(path, rules);
    }
  } finally {
    end();
  }
  return found;
}

/** The files of each configuration that may run our plugin. */
function groupsOf({ files, paths, cwd, config }: Asking): ReadonlyMap<string, readonly string[]> {
  if (config !== undefined) return new Map(files.length === 0 ? [] : [[config, files]]);
  const starts = [cwd, ...paths.map((path) => resolve(cwd, path))];
  const candidates = [
    ...starts.flatMap((start) => findUpwards(start, eslintConfigNames) ?? []),
    ...files.filter(isEslintConfiguration),
  ];
  const running = new Set([...new Set(candidates)].filter(mayRunPlugin));
  if (running.size === 0) return new Map();
  const nearest = new Map<string, string | undefined>();
  const groups = new Map<string, string[]>();
  for (const path of files) {
    const folder = dirname(path);
    if (!nearest.has(folder)) nearest.set(folder, findUpwards(folder, eslintConfigNames));
    const file = nearest.get(folder);
    if (file !== undefined && (running.has(file) || mayRunPlugin(file)))
      groups.set(file, [...(groups.get(file) ?? []), path]);
  }
  return groups;
}

async function answersTo(
  question: ConfigQuestion,
  file: string,
  ask: (question: ConfigQuestion) => Promise<ConfigAnswer>,
  cwd: string,
  known: KnownRules,
): Promise<readonly (readonly [string, EslintRules])[]> {
  const place = relative(cwd, file);
  const answer = await ask(question);
  if (answer.kind === 'broken')
    throw new CouldNotRun(
      `${place} could not be used: ${answer.sentence.replace(/\.?$/u, '.')} Fix it, or run with --no-config.`,
    );
  const read = answer.configurations.map(({ rules, settings }): EslintRules => {
    const entries = Object.entries(rules)
      .filter(([id]) => known.rules.some((rule) => rule.id === id))
      .map(([id, { severity, options }]) => [id, [severity, ...options]] as const);
    return {
      file,
      rules: readRuleEntries(Object.fromEntries(entries), place, known),
      written: settings,
    };
  });
  const ignored: EslintRules = { file, rules: null, written: undefined };
  const isRunning = read.some(({ rules }) => Object.keys(rules ?? {}).length > 0);
  return isRunning
    ? question.paths.map((path, index) => [path, read[answer.chosen[index] ?? -1] ?? ignored])
    : [];
}
