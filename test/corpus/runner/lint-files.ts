import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as TypescriptParser from '@typescript-eslint/parser';
import type { ESLint, Linter } from 'eslint';
import { toPlainText } from '../../../src/activity/plain-text.ts';
import type { Lines, LintedSource, LintJob, Report, Trouble } from './linted-source.ts';

/** Lints one file of a checkout. */
export type LintFile = (job: LintJob, file: string) => Promise<LintedSource>;

type Parser = Pick<typeof TypescriptParser, 'parse'>;

interface Engine {
  readonly folder: string;
  readonly eslint: ESLint;
  readonly parser: Parser;
  /** The functions of the file that was linted last. */
  readonly functions: Lines[];
}

/** A linter that keeps ESLint, and what the plugin remembers of other files, while the folder stays the same. */
export function createFolderLinter(): LintFile {
  let engine: Engine | null = null;
  return async (job, file) => {
    if (engine?.folder !== job.folder) engine = await createEngine(job);
    return lintFile(engine, file);
  };
}

async function createEngine({ folder, rules, settings, plugin }: LintJob): Promise<Engine> {
  // A mistake of the analysis is to be seen, not to be taken for an unknown file.
  process.env['POOLGUARD_DEBUG'] = '1';
  // The command shares this bundle, and parses nothing itself.
  const [api, parser] = await Promise.all([import('eslint'), import('@typescript-eslint/parser')]);
  const { default: poolguard } = (await import(pathToFileURL(plugin).href)) as {
    default: ESLint.Plugin;
  };
  const functions: Lines[] = [];
  const config: Linter.Config = {
    files: ['**/*.{js,jsx,mjs,cjs,ts,tsx,mts,cts}'],
    // The plugin remembers other files by their parser: a new one forgets the folder before.
    languageOptions: {
      parser: { ...parser },
      parserOptions: { ecmaFeatures: { jsx: true } },
    },
    plugins: { poolguard, corpus: functionRecorder(functions) },
    rules: {
      'corpus/functions': 'error',
      ...Object.fromEntries(rules.map((rule) => [`poolguard/${rule}`, 'error' as const])),
    },
    settings,
  };
  const eslint = new api.ESLint({
    cwd: folder,
    overrideConfigFile: true,
    allowInlineConfig: false,
    ignore: false,
    warnIgnored: false,
    overrideConfig: [config],
  });
  return { folder, eslint, parser, functions };
}

/** A rule that notes where functions begin and end, so that nothing is parsed twice. */
function functionRecorder(functions: Lines[]): ESLint.Plugin {
  return {
    rules: {
      functions: {
        create: () => ({
          ':function': ({
            loc,
          }: {
            readonly loc?: {
              readonly start: { readonly line: number };
              readonly end: { readonly line: number };
            };
          }) => {
            if (loc !== undefined) functions.push({ start: loc.start.line, end: loc.end.line });
          },
        }),
      },
    },
  };
}

async function lintFile(
  { folder, eslint, parser, functions }: Engine,
  path: string,
): Promise<LintedSource> {
  const file = join(folder, path);
  const nothing = { path, reports: [], functions: null, milliseconds: 0 };
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null)
    return {
      ...nothing,
      trouble: { kind: 'absent', text: 'the commit has no such file, or it is too large' },
    };
  functions.length = 0;
  const begin = performance.now();
  try {
    const [result] = await eslint.lintText(text, { filePath: file });
    const milliseconds = performance.now() - begin;
    const fatal = result?.messages.find((message) => message.fatal === true);
    if (fatal !== undefined)
      return { ...nothing, milliseconds, trouble: parseTrouble(parser, text, file, fatal.message) };
    return {
      path,
      reports: (result?.messages ?? []).flatMap(toReport),
      functions: [...functions],
      trouble: null,
      milliseconds,
    };
  } catch (failure) {
    return {
      ...nothing,
      functions: [...functions],
      trouble: { kind: 'crash', text: describeCrash(failure) },
      milliseconds: performance.now() - begin,
    };
  }
}

function toReport({ ruleId, line, message }: Linter.LintMessage): readonly Report[] {
  return ruleId === null
    ? []
    : [{ rule: ruleId.replace('poolguard/', ''), line, message: toPlainText(message) }];
}

function parseTrouble(parser: Parser, text: string, filePath: string, message: string): Trouble {
  try {
    parser.parse(text, { filePath, ecmaFeatures: { jsx: true }, loc: true, range: true });
    return { kind: 'ours', text: message };
  } catch {
    return { kind: 'parser', text: message };
  }
}

/** The message and where it was thrown. */
function describeCrash(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure);
  const where =
    (failure.stack ?? '').split('\n').find((line) => line.trim().startsWith('at ')) ?? '';
  return `${failure.message.split('\n')[0] ?? ''} ${where.trim()}`.trim();
}
