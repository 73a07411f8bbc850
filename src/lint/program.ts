import { extname } from 'node:path';
import * as scopes from '@typescript-eslint/scope-manager';
import * as estree from '@typescript-eslint/typescript-estree';
import { visitorKeys } from '@typescript-eslint/visitor-keys';
import type { FileSource } from '../../rules/project/file-source.ts';
import { createModules, type Modules } from '../../rules/project/modules.ts';
import type { Parsed, ParseText } from '../../rules/project/trees.ts';
import { byParts } from '../../rules/project/typescript-parts.ts';
import { createOxc } from './oxc-parser.ts';

/** The files that a run looks at. What is read of them is kept, within bounds. */
export interface Program {
  /** The tree of a text as if it were the file at that path. Throws what is wrong with the text. */
  readonly parse: (text: string, path: string) => Parsed;
  modules(): Modules;
  /** Drops all that was read; later runs read it anew. */
  forget(): void;
}

/** In the order in which they are asked; the last one says what is wrong with a text. */
export function createParsers(): readonly ParseText[] {
  return [createOxc(), byParts({ estree, scopes }, visitorKeys, { comment: true })];
}

const usualParsers = createParsers();

/** The files of the disk, behind the texts of `source`. */
export function createProgram(source?: FileSource, parsers = usualParsers): Program {
  const create = () => {
    const treeOf = createTreeOnce(parsers);
    return { treeOf, modules: createModules(treeOf, source) };
  };
  let known = create();
  return {
    parse: (text, path) => parseAsEitherKind(known.treeOf, text, path),
    modules: () => known.modules,
    forget: () => (known = create()),
  };
}

type TreeOf = Program['parse'];

/** A file is linted and imported, in whatever order: it is parsed once for both where its tree is still there. */
function createTreeOnce(parsers: readonly ParseText[]): TreeOf {
  const latest = new Map<string, WeakRef<object>>();
  const trees = new WeakMap<object, Parsed & { readonly text: string }>();
  return (text, path) => {
    const ast = latest.get(path)?.deref();
    const before = ast && trees.get(ast);
    if (before?.text === text) return before;
    const tree = Object.assign(firstTree(parsers, text, path), { text });
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

/**
 * `<any>value` and `<Element />` exclude each other and the extension decides which one a file may hold,
 * so a file that does not parse gets a second try as the other kind; the first failure is the one to report.
 */
function parseAsEitherKind(parse: TreeOf, text: string, path: string): Parsed {
  try {
    return parse(text, path);
  } catch (failure) {
    try {
      return parse(text, asOtherKind(path));
    } catch {
      throw failure;
    }
  }
}

const jsxForbidden = new Set(['.ts', '.mts', '.cts']);

function asOtherKind(path: string): string {
  return `${path}${jsxForbidden.has(extname(path).toLowerCase()) ? '.tsx' : '.ts'}`;
}
