import { extname } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import * as scopes from '@typescript-eslint/scope-manager';
import { visitorKeys } from '@typescript-eslint/visitor-keys';
import type { ParserOptions } from 'oxc-parser';
import { jsonParseAst } from 'oxc-parser/src-js/wrap';
import { withScopes } from '../../rules/project/typescript-parts.ts';
import type { Parsed, ParseText } from '../../rules/project/trees.ts';
import { type NativeLibrary, startLibrary } from './napi-host.ts';
import { readOxc } from './oxc-file.ts';
import { finishTree, Refused } from './oxc-tree.ts';

/** As typescript-estree takes them: in `.js` an angle bracket never begins a type. */
const languages: Readonly<Record<string, 'jsx' | 'tsx'>> = {
  '.js': 'jsx',
  '.mjs': 'jsx',
  '.cjs': 'jsx',
  '.jsx': 'jsx',
  '.tsx': 'tsx',
};

/**
 * oxc's parser: a third of the time of typescript-estree. It refuses each text of which it has anything to say. As WebAssembly it is the same file
 * on every machine, as fast as the native one, and code that nests without end is an exception and no end of the process.
 */
export function createOxc(): ParseText {
  let compiled: WebAssembly.Module | undefined;
  let library: NativeLibrary | undefined;
  return (text, path) => {
    try {
      compiled ??= compile();
      library ??= startLibrary(compiled);
      const ast = parseWith(library, text, path);
      finishTree(ast, text);
      return withScopes(ast, visitorKeys, scopes);
    } catch (failure) {
      // Where the stack or the memory ended, or WebAssembly is switched off, typescript-estree has its own words for it.
      if (!(failure instanceof Refused)) library = undefined;
      return undefined;
    }
  };
}

/**
 * V8 compiles a function of WebAssembly once more, and better, as soon as it has run for a while: of a parser nearly all of them, which takes
 * a second before it gains anything. It complains of a flag that it does not have, so only versions that are known to have this one are told.
 */
function compile(): WebAssembly.Module {
  if (Number.parseInt(process.versions.v8, 10) <= 14)
    setFlagsFromString('--wasm-tiering-budget=100000000');
  return new WebAssembly.Module(readOxc());
}

/** What the library gives back: each field is taken out of its memory when it is read. */
interface Result {
  readonly program: string;
  readonly module: unknown;
  readonly comments: object[];
  readonly errors: readonly { readonly message: string }[];
}

type ParseSync = (path: string, text: string, options: ParserOptions) => Result;

function parseWith({ exports, free }: NativeLibrary, text: string, path: string): Parsed['ast'] {
  const result = (exports['parseSync'] as ParseSync)(path, text, {
    lang: languages[extname(path).toLowerCase()] ?? 'ts',
    astType: 'ts',
    range: true,
    preserveParens: false,
    // Of sloppy code typescript-estree takes a part, and says what is wrong with the rest.
    sourceType: 'module',
  });
  const { errors, comments, program } = result;
  free(result);
  if (!errors.every(isHarmless)) throw new Refused();
  return Object.assign(jsonParseAst(program) as Parsed['ast'], { comments: comments as never });
}

/** Scripts of CommonJS may return at their top level; the tree is whole. */
function isHarmless({ message }: { readonly message: string }): boolean {
  return message.startsWith("A 'return' statement can only be used within a function body");
}
