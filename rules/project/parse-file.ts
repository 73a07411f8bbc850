import type { Linter, Scope } from 'eslint';
import type { TSESTree } from '@typescript-eslint/types';
import { analyze as analyzeScopes } from 'eslint-scope';
import type { Parsed, ParseText } from './trees.ts';
import { linkParents } from '../syntax/preorder.ts';
import { installedFor } from './node-modules.ts';
import { installedParts } from './typescript-parts.ts';

/** A parser as ESLint knows it. */
export interface Parser {
  /** oxlint's is called `oxlint`; it uses the memory of each tree for the next one. */
  readonly name?: string | undefined;
  readonly meta?:
    { readonly name?: string | undefined; readonly version?: string | undefined } | undefined;
  parseForESLint?(
    text: string,
    options: object,
  ): { ast: unknown; scopeManager?: unknown; visitorKeys?: unknown };
  parse?(text: string, options: object): unknown;
}

/**
 * The parser of scripts. Parsers of components (vue-eslint-parser, svelte-eslint-parser) are told it in their options, as one parser
 * or one by language; the files that components import are scripts.
 */
export function scriptParserOf({
  parser,
  parserOptions,
}: Linter.LanguageOptions): Parser | undefined {
  const told: unknown = parserOptions?.['parser'];
  const chosen: unknown = isParser(told)
    ? told
    : typeof told === 'object' && told !== null && 'ts' in told
      ? told.ts
      : undefined;
  return isParser(chosen) ? chosen : parser;
}

function isParser(value: unknown): value is Parser {
  return (
    typeof value === 'object' && value !== null && ('parseForESLint' in value || 'parse' in value)
  );
}

/**
 * Parses other files with the linter's own parser. A project's oxc-parser would save a tenth of a run's CPU, or two, and no memory to speak of,
 * since TypeScript is loaded all the same; its trees differ from version to version, and code that is nested too deeply would end ESLint's
 * process: so it is left alone. oxlint 1.94 lends none to plugins (its `parse` throws), so there the
 * project's TypeScript parser, or espree, is used when it is installed; else what other files export is unknown.
 */
export function createFileParser(
  parser: Parser | undefined,
  visitorKeys: Parsed['visitorKeys'],
  cwd: string,
): ParseText {
  let usable = parser;
  let quick: ParseText | null | undefined;
  return (text, path) => {
    if ((quick ??= quickOf(parser, visitorKeys, cwd)) !== null) return quick(text, path);
    try {
      return parseWith(usable, text, path, visitorKeys);
    } catch (problem) {
      if (usable !== parser || !isMissing(problem)) throw problem;
      usable = installedParser(cwd);
      return parseWith(usable, text, path, visitorKeys);
    }
  };
}

/** Null where a parser is known as a whole only. */
function quickOf(
  parser: Parser | undefined,
  visitorKeys: Parsed['visitorKeys'],
  cwd: string,
): ParseText | null {
  const { name, version } = parser?.meta ?? {};
  return name === 'typescript-eslint/parser' && version !== undefined
    ? (installedParts(version, cwd, visitorKeys) ?? null)
    : null;
}

function isMissing(problem: unknown): boolean {
  return problem instanceof Error && /not implemented/iu.test(problem.message);
}

/** Where a parser is found, in the order in which they are tried. */
const parserPackages: readonly (readonly [
  name: string,
  parserIn: (found: { parser?: Parser } & Parser) => Parser | undefined,
])[] = [
  ['@typescript-eslint/parser', (found) => found],
  ['typescript-eslint', ({ parser }) => parser],
  ['espree', (found) => found],
];

function installedParser(cwd: string): Parser | undefined {
  const installed = installedFor(cwd);
  for (const [name, parserIn] of parserPackages) {
    try {
      return parserIn(installed.load(name) as Parser);
    } catch {
      // Not installed: the next one, or none.
    }
  }
  return undefined;
}

function parseWith(
  parser: Parser | undefined,
  text: string,
  path: string,
  visitorKeys: Parsed['visitorKeys'],
): Parsed | undefined {
  const options = {
    ecmaVersion: 'latest',
    sourceType: 'module',
    loc: true,
    range: true,
    tokens: false,
    comment: false,
    jsDocParsingMode: 'none',
    // The names of the language itself would be listed for each file anew.
    lib: [],
    filePath: path,
    ecmaFeatures: { jsx: /x$/u.test(path) },
  };
  const parsed = parser?.parseForESLint?.(text, options) ?? { ast: parser?.parse?.(text, options) };
  if (parsed.ast === undefined) return undefined;
  const scopeManager =
    parsed.scopeManager ??
    analyzeScopes(parsed.ast as Parameters<typeof analyzeScopes>[0], {
      ecmaVersion: 2025,
      sourceType: 'module',
    });
  const tree = {
    ast: withoutTokens(parsed.ast as TSESTree.Program),
    scopeManager: scopeManager as Scope.ScopeManager,
    visitorKeys: (parsed.visitorKeys ?? visitorKeys) as Parsed['visitorKeys'],
  };
  linkParents(tree);
  return tree;
}

/** typescript-eslint gives tokens whether they are asked for or not; they take more memory than the tree, and nobody here reads them. */
function withoutTokens(ast: TSESTree.Program): TSESTree.Program {
  return Object.assign(ast, { tokens: [] });
}
