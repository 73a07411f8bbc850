import { dirname, isAbsolute, relative } from 'node:path';
import type { SourceCode } from 'eslint';
import { Linter } from 'eslint/universal';
import type {
  DeclaredPool,
  Edit,
  HeldSpan,
  PoolValues,
  WrittenQuery,
  WrittenRoute,
  WrittenStatement,
} from '../../rules/index.ts';
import { toMistake, type Mistake } from './mistake.ts';
import type { Problem } from './problem.ts';
import type { Plugin } from './plugin.ts';
import type { Pooler } from './pooler.ts';
import { prefix, presetOf } from './plugin.ts';
import { tolerantParser, type TolerantParser } from './tolerant-parser.ts';
import { parsingFailed, toProblems } from './to-problem.ts';
import { writtenIn, type Written } from './written.ts';

export interface SourceText {
  /** Absolute; its extension decides how the text is parsed. The file need not exist. */
  readonly path: string;
  readonly text: string;
}

export type Severity = 'off' | 'warn' | 'error';

export interface LintSettings {
  readonly cwd: string;
  /** `recommended` when not said. */
  readonly preset?: string;
  readonly pooler?: Pooler;
  /** Names of variables whose address leads past the pooler. */
  readonly direct?: readonly string[];
  /** Where these are written, where that is no configuration of ESLint: messages speak of it. */
  readonly writtenIn?: 'command line' | 'editor';
  /** `settings.poolguard` of an ESLint configuration, in place of all three. */
  readonly written?: unknown;
  /** What is read of other files is kept, within bounds, for a parser: a server that reads through open documents gives one of its own. */
  readonly parser?: TolerantParser;
  /** By `poolguard/<rule>`; rules not named keep the severity of the preset. */
  readonly severities?: Readonly<Record<string, Severity>>;
  /** By `poolguard/<rule>`; of rules that have a severity here. */
  readonly options?: Readonly<Record<string, readonly unknown[]>>;
}

/** One file after linting: problems for people, ESLint's own messages for tools that read its JSON. */
export interface LintedFile extends SourceText {
  readonly problems: readonly Problem[];
  readonly messages: readonly Linter.LintMessage[];
  readonly suppressedMessages: readonly Linter.SuppressedLintMessage[];
  /** Why nothing, or less, is said of the file than there may be. */
  readonly mistake?: Mistake | undefined;
  /** What was fixed: the text is the one after. */
  readonly fixed?: Fixed;
}

export interface Fixed {
  /** The text before. */
  readonly from: string;
  /** What was applied, as the rules call it. */
  readonly applied: readonly string[];
}

export type Lint = (source: SourceText) => LintedFile;

/** A linted file that can be asked for what the analysis knows besides; it keeps the parsed file for that as long as it lives itself. */
export interface InspectedFile extends LintedFile {
  /** Found when first asked for; empty for a text that could not be parsed. */
  spans(): readonly HeldSpan[];
  pools(): readonly DeclaredPool[];
  statements(): readonly WrittenStatement[];
  queries(): readonly WrittenQuery[];
  routes(): readonly WrittenRoute[];
  /** Undefined for a text that could not be parsed. */
  written(): Written | undefined;
  /** Edits of this text that write numbers into the options of one of its pools; undefined where that cannot be done safely. */
  poolEdits(pool: DeclaredPool, values: PoolValues): readonly Edit[] | undefined;
}

export type Inspect = (source: SourceText) => InspectedFile;

/** A function that lints one text after the other with a preset. It never throws: what goes wrong becomes a problem with rule null. */
export function createLinter(plugin: Plugin, settings: LintSettings): Lint {
  const run = createRun(plugin, settings);
  return (source) => run(source).linted;
}

/** Like `createLinter`, for texts that somebody looks at; `onMistake` learns of mistakes that come to light when a file is asked. */
export function createInspector(
  plugin: Plugin,
  settings: LintSettings,
  onMistake: (mistake: Mistake) => void = () => undefined,
): Inspect {
  const run = createRun(plugin, settings);
  return (source) => {
    const { linted, sourceCode } = run(source);
    const ask = <Found>(find: (parsed: SourceCode) => Found | undefined, nothing: Found): Found => {
      const found = sourceCode && find(sourceCode);
      const mistake = mistakeIn(plugin, sourceCode);
      if (mistake !== undefined) onMistake(mistake);
      return found ?? nothing;
    };
    return {
      ...linted,
      spans: () => ask((parsed) => plugin.heldSpansOf?.(parsed), []),
      pools: () => ask((parsed) => plugin.poolsOf?.(parsed), []),
      statements: () => ask((parsed) => plugin.statementsOf?.(parsed), []),
      queries: () => ask((parsed) => plugin.queriesOf?.(parsed), []),
      routes: () => ask((parsed) => plugin.routesOf?.(parsed), []),
      written: () => (sourceCode === undefined ? undefined : writtenIn(sourceCode)),
      poolEdits: (pool, values) =>
        ask((parsed) => plugin.poolEdits?.(parsed, pool, values), undefined),
    };
  };
}

interface Run {
  readonly linted: LintedFile;
  /** Undefined when the text could not be parsed. */
  readonly sourceCode: SourceCode | undefined;
}

function createRun(plugin: Plugin, settings: LintSettings): (source: SourceText) => Run {
  const config = configOf(plugin, settings);
  return (source) => {
    const linter = new Linter({ configType: 'flat', cwd: baseOf(source.path, settings.cwd) });
    try {
      const messages = linter.verify(source.text, config, { filename: source.path }).filter(isOurs);
      const suppressedMessages = suppressedIn(linter).filter(isOurs);
      const sourceCode = sourceCodeIn(linter);
      const findings = sourceCode === undefined ? [] : plugin.findingsOf(sourceCode);
      return {
        linted: {
          ...source,
          messages,
          suppressedMessages,
          problems: toProblems(messages, findings),
          mistake: mistakeIn(plugin, sourceCode),
        },
        sourceCode,
      };
    } catch (failure) {
      const mistake = toMistake(failure);
      const messages = [toMessage(mistake)];
      return {
        linted: {
          ...source,
          messages,
          suppressedMessages: [],
          problems: toProblems(messages, []),
          mistake,
        },
        sourceCode: undefined,
      };
    }
  };
}

function configOf(
  plugin: Plugin,
  {
    preset = 'recommended',
    pooler,
    direct,
    writtenIn,
    written,
    severities = {},
    options = {},
    parser = tolerantParser,
  }: LintSettings,
): Linter.Config[] {
  const transactionPooling =
    pooler !== undefined && pooler.mode !== 'session'
      ? presetOf(plugin, 'transaction-pooling')
      : [];
  const rules = Object.fromEntries(
    Object.entries(severities).map(([rule, severity]) => [
      rule,
      [severity, ...(options[rule] ?? [])] as Linter.RuleEntry,
    ]),
  );
  return [
    // A file that somebody asks for is linted wherever it lies.
    { ignores: ['!**/node_modules/', '!.git/'] },
    {
      // ESLint holds `**/*` for too general to count.
      files: ['**/?*'],
      languageOptions: { parser, sourceType: 'module', ecmaVersion: 'latest' },
      linterOptions: { reportUnusedDisableDirectives: 'off', reportUnusedInlineConfigs: 'off' },
    },
    ...presetOf(plugin, preset),
    ...transactionPooling,
    {
      rules,
      settings: {
        poolguard: written ?? {
          ...(pooler === undefined ? {} : { pooler }),
          ...(direct === undefined ? {} : { direct }),
          ...(writtenIn === undefined ? {} : { writtenIn }),
        },
      },
    },
  ];
}

/** ESLint lints nothing outside its base path. */
function baseOf(path: string, cwd: string): string {
  const way = relative(cwd, path);
  return way.startsWith('..') || isAbsolute(way) ? dirname(path) : cwd;
}

/** Comments in the file may configure rules of other plugins, or be malformed; ESLint then complains about things we did not check. */
function isOurs({ ruleId, message }: Linter.LintMessage): boolean {
  return ruleId === null ? message.startsWith(parsingFailed) : ruleId.startsWith(prefix);
}

/** The method is public and documented; ESLint's types leave it out. */
function suppressedIn(linter: Linter): Linter.SuppressedLintMessage[] {
  return (
    linter as Linter & { getSuppressedMessages(): Linter.SuppressedLintMessage[] }
  ).getSuppressedMessages();
}

/** ESLint has none when the text could not be parsed, whatever its types say. */
function sourceCodeIn(linter: Linter): SourceCode | undefined {
  const sourceCode: SourceCode | null | undefined = linter.getSourceCode();
  return sourceCode ?? undefined;
}

function mistakeIn(plugin: Plugin, sourceCode: SourceCode | undefined): Mistake | undefined {
  const thrown = sourceCode && plugin.mistakeIn?.(sourceCode);
  return thrown === undefined ? undefined : toMistake(thrown);
}

function toMessage({ message }: Mistake): Linter.LintMessage {
  return {
    ruleId: null,
    fatal: true,
    severity: 2,
    line: 1,
    column: 1,
    message: `The file could not be checked: ${message}.`,
  };
}
