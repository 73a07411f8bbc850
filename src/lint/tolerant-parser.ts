import { extname } from 'node:path';
import * as typescriptParser from '@typescript-eslint/parser';

type ParserOptions = NonNullable<Parameters<typeof typescriptParser.parseForESLint>[1]>;
type Parsed = ReturnType<typeof typescriptParser.parseForESLint>;

/** What the TypeScript parser costs and prints beyond the tree; nobody reads it here. */
const lean: ParserOptions & { readonly preserveNodeMaps: boolean } = {
  preserveNodeMaps: false,
  jsDocParsingMode: 'none',
  warnOnUnsupportedTypeScriptVersion: false,
  loggerFn: false,
};

/** The TypeScript parser for every file, also plain JavaScript. */
export interface TolerantParser {
  readonly meta: { readonly name: string; readonly version: string };
  readonly parseForESLint: (code: string, options: ParserOptions) => Parsed;
}

/** What linting keeps of other files it keeps for a parser; who needs some of their own, or wants to drop them, makes one. */
export function createTolerantParser(): TolerantParser {
  return { meta: { name: 'poolguard/tolerant-parser', version: '1' }, parseForESLint: parse };
}

/** The parser of who needs none of their own. */
export const tolerantParser: TolerantParser = createTolerantParser();

/**
 * `<any>value` and `<Element />` exclude each other and the extension decides which one a file may hold,
 * so a file that does not parse gets a second try as the other kind; the first failure is the one to report.
 */
function parse(code: string, options: ParserOptions): Parsed {
  try {
    return typescriptParser.parseForESLint(code, { ...options, ...lean });
  } catch (failure) {
    return parseAsOtherKind(code, options) ?? fail(failure);
  }
}

function parseAsOtherKind(code: string, options: ParserOptions): Parsed | undefined {
  try {
    return typescriptParser.parseForESLint(code, {
      ...options,
      ...lean,
      filePath: asOtherKind(options.filePath ?? ''),
    });
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
