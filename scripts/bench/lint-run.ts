import * as typescriptParser from '@typescript-eslint/parser';
import { ESLint, Linter, type SourceCode } from 'eslint';
import plugin from '../../rules/index.ts';
import type { Work } from './stopwatch.ts';

export interface SourceText {
  /** Absolute; the file need not exist. */
  readonly path: string;
  readonly text: string;
}

type Rules = NonNullable<ESLint.Plugin['rules']>;

/** One run of the linter over a folder, with nothing remembered from earlier runs. */
export interface LintRun {
  /** Always true: whoever reads it keeps the run, and what it remembers, in memory until then. */
  readonly isAlive: boolean;
  workFor(file: SourceText): Work;
  /** Whether the parser and the linter, without any rule, get through a file. */
  takes(file: SourceText): boolean;
}

/**
 * The linter gets sources that it has already parsed and walked once without rules, each of the two its own, so that the
 * noise of parsing is in neither. The rules remember other files for as long as their parser lives, so a run has a parser of its own. The configuration is
 * resolved once, as ESLint does for all files of a kind.
 * @param rules ours, or others under their names
 */
export async function startRun(folder: string, rules: Rules = plugin.rules): Promise<LintRun> {
  const parser = { ...typescriptParser };
  const [bare, ruled] = await Promise.all([
    configFor(folder, parser, {}),
    configFor(folder, parser, allRules(), { poolguard: { rules } }),
  ]);
  const linter = new Linter({ cwd: folder });
  const lint = (config: ResolvedConfig, filename: string, source: string | SourceCode) =>
    void linter.verify(source, config, { filename });
  const read = ({ path, text }: SourceText) => {
    lint(bare, path, text);
    return linter.getSourceCode();
  };
  return {
    isAlive: typeof parser === 'object',
    workFor: (file) => {
      const sources = { bare: read(file), ruled: read(file) };
      return {
        parse: () => void parser.parseForESLint(file.text, parserOptions(file.path)),
        bare: () => lint(bare, file.path, sources.bare),
        ruled: () => lint(ruled, file.path, sources.ruled),
      };
    },
    takes(file) {
      try {
        lint(bare, file.path, read(file));
        return doesParse(file);
      } catch {
        return false;
      }
    },
  };
}

/** Rules with the names of ours that do nothing: what ESLint itself takes for so many. */
export const idleRules: Rules = Object.fromEntries(
  Object.keys(plugin.rules).map((id) => [id, { create: () => ({}) }]),
);

/** True when the parser takes the file; what it does not take is no yardstick. */
export function doesParse({ path, text }: SourceText): boolean {
  try {
    typescriptParser.parseForESLint(text, parserOptions(path));
    return true;
  } catch {
    return false;
  }
}

/** As ESLint asks its parser. */
export function parserOptions(filePath: string): typescriptParser.ParserOptions {
  return {
    comment: true,
    eslintVisitorKeys: true,
    eslintScopeManager: true,
    loc: true,
    range: true,
    tokens: true,
    filePath,
    sourceType: 'module',
    ecmaFeatures: { jsx: true },
  };
}

export function allRules(): Linter.RulesRecord {
  return Object.fromEntries(Object.keys(plugin.rules).map((id) => [`poolguard/${id}`, 'error']));
}

export type ResolvedConfig = Linter.Config[] & { getConfig: () => unknown };

/** `verify` takes an array that knows how to resolve itself as it is (ESLint 10, `lib/linter/linter.js`). */
export async function configFor(
  cwd: string,
  parser: object,
  rules: Linter.RulesRecord,
  others: Readonly<Record<string, ESLint.Plugin>> = {},
): Promise<ResolvedConfig> {
  const config: Linter.Config = {
    files: ['**/*.{js,jsx,mjs,cjs,ts,tsx,mts,cts}'],
    languageOptions: { parser: parser, parserOptions: { ecmaFeatures: { jsx: true } } },
    linterOptions: { reportUnusedDisableDirectives: 'off' },
    plugins: { poolguard: plugin, ...others },
    rules,
  };
  const resolved: unknown = await new ESLint({
    cwd,
    overrideConfigFile: true,
    overrideConfig: [config],
  }).calculateConfigForFile('file.ts');
  return Object.assign([], { getConfig: () => resolved });
}
