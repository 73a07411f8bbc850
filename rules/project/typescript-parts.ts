import { linkParents } from '../syntax/preorder.ts';
import { installedFor } from './node-modules.ts';
import type { Parsed, ParseText } from './trees.ts';

/** The packages that typescript-eslint's parser is put together of, as far as they are used here. */
interface Parts {
  readonly parser: { readonly meta?: { readonly version?: string } };
  readonly estree: { parse(text: string, options: object): unknown };
  readonly scopes: { analyze(ast: never, options: object): unknown };
}

/** From a project each package leads to the next: where packages are kept apart, none sees those of others. */
const ways: readonly (readonly string[])[] = [
  ['@typescript-eslint/parser'],
  ['typescript-eslint', '@typescript-eslint/parser'],
];

/**
 * typescript-eslint's parser of this version as its parts, as they are installed for a folder; undefined where they are not. Together they
 * take about six tenths of the parser's time.
 */
export function installedParts(
  version: string,
  folder: string,
  visitorKeys: Parsed['visitorKeys'],
): ParseText | undefined {
  for (const way of ways) {
    const parts = partsAt(way, folder);
    if (parts?.parser.meta?.version === version) return byParts(parts, visitorKeys);
  }
  return undefined;
}

function partsAt(way: readonly string[], folder: string): Parts | undefined {
  try {
    const seen = way.reduce((from, name) => from.of(name), installedFor(folder));
    return {
      parser: seen.load('@typescript-eslint/parser') as Parts['parser'],
      estree: seen.load('@typescript-eslint/typescript-estree') as Parts['estree'],
      scopes: seen.load('@typescript-eslint/scope-manager') as Parts['scopes'],
    };
  } catch {
    return undefined;
  }
}

/**
 * The parts as one function, which makes what typescript-eslint's parser makes, but for tokens, comments and the maps to TypeScript's own
 * tree, which it always makes; `options` are the parser's.
 */
export function byParts(
  { estree, scopes }: Pick<Parts, 'estree' | 'scopes'>,
  visitorKeys: Parsed['visitorKeys'],
  options: object = {},
): ParseText {
  return (text, path) => {
    const ast = estree.parse(text, {
      filePath: path,
      jsx: /x$/u.test(path),
      range: true,
      loc: true,
      jsDocParsingMode: 'none',
      loggerFn: false,
      ...options,
    }) as Parsed['ast'];
    linkParents({ ast, visitorKeys });
    return withScopes(ast, visitorKeys, scopes);
  };
}

/** A tree with its scopes, which are found when somebody asks for them. The names of the language itself would be listed for each file anew. */
export function withScopes(
  ast: Parsed['ast'],
  visitorKeys: Parsed['visitorKeys'],
  scopes: Parts['scopes'],
): Parsed {
  Object.assign(ast, { sourceType: 'module' });
  let found: Parsed['scopeManager'] | undefined;
  return {
    ast,
    visitorKeys,
    get scopeManager() {
      const analyse = () => scopes.analyze(ast as never, { sourceType: 'module', lib: [] });
      return (found ??= analyse() as Parsed['scopeManager']);
    },
  };
}
