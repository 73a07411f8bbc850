import { extname } from 'node:path';
import * as typescriptParser from '@typescript-eslint/parser';
import * as scopes from '@typescript-eslint/scope-manager';
import * as estree from '@typescript-eslint/typescript-estree';
import { visitorKeys } from '@typescript-eslint/visitor-keys';
import type { TreeService } from '../../rules/project/parse-file.ts';
import type { Parsed, ParseText } from '../../rules/project/trees.ts';
import { byParts } from '../../rules/project/typescript-parts.ts';
import { createOxc } from './oxc-parser.ts';

type ParserOptions = NonNullable<Parameters<typeof typescriptParser.parseForESLint>[1]>;

/** What ESLint is given of a file. */
interface Given {
  readonly ast: unknown;
  readonly scopeManager: unknown;
  readonly visitorKeys: object;
  readonly services?: object;
}

/** The TypeScript parser for every file, also plain JavaScript. */
export interface TolerantParser {
  readonly meta: { readonly name: string; readonly version: string };
  readonly parseForESLint: (code: string, options: ParserOptions) => Given;
  readonly parseText: ParseText;
}

/** In the order in which they are asked; the last one says what is wrong with a text. */
export function createParsers(): readonly ParseText[] {
  return [createOxc(), typescript];
}

const typescript = byParts({ estree, scopes }, visitorKeys, { comment: true });

/** What linting keeps of other files it keeps for a parser; who needs some of their own, or wants to drop them, makes one. */
export function createTolerantParser(parsers = createParsers()): TolerantParser {
  const treeOf = createTreeOnce(parsers);
  return {
    meta: { name: 'poolguard/tolerant-parser', version: '1' },
    parseForESLint: (code, options) => parseForESLint(treeOf, code, options),
    parseText: treeOf,
  };
}

type TreeOf = (text: string, path: string) => Parsed;

/** A file is linted and imported, in whatever order: it is parsed once for both where its tree is still there. */
function createTreeOnce(parsers: readonly ParseText[]): TreeOf {
  const latest = new Map<string, WeakRef<object>>();
  const trees = new WeakMap<object, Parsed & { readonly text: string }>();
  return (text, path) => {
    const ast = latest.get(path)?.deref();
    const before = ast && trees.get(ast);
    if (before?.text === text) return before;
    const tree = { ...firstTree(parsers, text, path), text };
    latest.set(path, new WeakRef(tree.ast));
    trees.set(tree.ast, tree);
    return tree;
  };
}

function firstTree(parsers: readonly ParseText[], text: string, path: string): Parsed {
  for (const parse of parsers) {
    const tree = parse(text, path);
    if (tree !== undefined) return tree;
  }
  throw new SyntaxError('No installed parser can read this file.');
}

/** The parser of who needs none of their own. */
export const tolerantParser: TolerantParser = createTolerantParser();

/**
 * `<any>value` and `<Element />` exclude each other and the extension decides which one a file may hold,
 * so a file that does not parse gets a second try as the other kind; the first failure is the one to report.
 */
function parseForESLint(treeOf: TreeOf, code: string, options: ParserOptions): Given {
  const parse = choosesRules.test(code) ? wholly : forOurRules(treeOf);
  try {
    return parse(code, options);
  } catch (failure) {
    return parseAsOtherKind(parse, code, options) ?? fail(failure);
  }
}

/** A comment can switch on rules of ESLint's own, which need all of a file. */
const choosesRules = /\/\*\s*eslint\s/u;

type Parse = (code: string, options: ParserOptions) => Given;

const wholly: Parse = (code, options) =>
  typescriptParser.parseForESLint(code, {
    ...options,
    warnOnUnsupportedTypeScriptVersion: false,
    jsDocParsingMode: 'none',
    loggerFn: false,
  });

/** ESLint gets the comments, and walks nothing; the rules get the tree. That takes less than half of the time. */
const forOurRules =
  (treeOf: TreeOf): Parse =>
  (code, { filePath = '' }) => {
    const tree = treeOf(code, filePath);
    const comments = { ...tree.ast, body: [], tokens: [] };
    return {
      ast: comments,
      scopeManager: scopes.analyze(comments, { sourceType: 'module', lib: [] }),
      visitorKeys,
      services: { poolguard: tree } satisfies TreeService,
    };
  };

function parseAsOtherKind(parse: Parse, code: string, options: ParserOptions): Given | undefined {
  try {
    return parse(code, { ...options, filePath: asOtherKind(options.filePath ?? '') });
  } catch {
    return undefined;
  }
}

const jsxForbidden = new Set(['.ts', '.mts', '.cts']);

function asOtherKind(path: string): string {
  return `${path}${jsxForbidden.has(extname(path).toLowerCase()) ? '.tsx' : '.ts'}`;
}

/** ESLint turns what a parser throws into a message at `lineNumber`; deep nesting ends in a RangeError without one. */
function fail(failure: unknown): never {
  if (failure instanceof RangeError)
    throw new SyntaxError('The code is nested too deeply to be parsed.');
  throw failure;
}
