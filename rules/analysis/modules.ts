import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Scope } from 'eslint';
import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from '../flow/graph.ts';
import { createAliasFinder } from './aliases.ts';
import { childrenOf, type SourceFile } from './source-file.ts';

/** What an ESLint parser returns, as far as it is used here. */
export interface Parsed {
  readonly ast: TSESTree.Program;
  readonly scopeManager: Scope.ScopeManager;
  readonly visitorKeys: SourceFile['visitorKeys'];
}

/** Reads other files of the project. Parsing is the linted file's own parser's job. */
export interface ModuleReader {
  /** The file that a relative import, or an alias of tsconfig.json, names; undefined when there is none or it does not parse. */
  read(specifier: string, importer: SourceFile): SourceFile | undefined;
}

const extensions = ['', '.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'];
const indexFiles = extensions.slice(1).map((extension) => join('index') + extension);
/** TypeScript sources import each other by the name of the file that will be there at run time. */
const sourceOf: Readonly<Record<string, readonly string[]>> = { '.js': ['.ts', '.tsx'], '.jsx': ['.tsx'], '.mjs': ['.mts'], '.cjs': ['.cts'] };

interface Cached {
  readonly stamp: string;
  readonly file: SourceFile | undefined;
}

/** A reader with a memory: a file is parsed again when its size or time of change differ. */
export function createModuleReader(parse: (text: string, path: string) => Parsed | undefined): ModuleReader {
  const cache = new Map<string, Cached>();
  const aliasesOf = createAliasFinder();
  return {
    read(specifier, importer) {
      const folder = dirname(importer.path);
      const bases = specifier.startsWith('.') ? [resolve(folder, specifier)] : aliasesOf(specifier, folder);
      const found = findFile(bases);
      if (found === undefined) return undefined;
      const cached = cache.get(found.path);
      if (cached?.stamp === found.stamp) return cached.file;
      const file = parseFile(found.path, parse);
      cache.set(found.path, { stamp: found.stamp, file });
      return file;
    },
  };
}

function findFile(bases: readonly string[]): { path: string; stamp: string } | undefined {
  for (const path of bases.flatMap(candidatesFor)) {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isFile() === true) return { path, stamp: `${stats.mtimeMs} ${stats.size}` };
  }
  return undefined;
}

function candidatesFor(base: string): readonly string[] {
  const extension = /\.[cm]?jsx?$/u.exec(base)?.[0];
  const sources = extension === undefined ? [] : (sourceOf[extension] ?? []).map((other) => base.slice(0, -extension.length) + other);
  return [...extensions.map((each) => base + each), ...sources, ...indexFiles.map((each) => join(base, each))];
}

/** Larger files are bundles, and no pool is declared there. */
const maximalLength = 1_000_000;

function parseFile(path: string, parse: (text: string, path: string) => Parsed | undefined): SourceFile | undefined {
  try {
    const text = readFileSync(path, 'utf8');
    if (text.length > maximalLength) return undefined;
    const parsed = parse(text, path);
    if (parsed === undefined) return undefined;
    const file: SourceFile = { path, text, ast: parsed.ast, scopes: parsed.scopeManager, visitorKeys: parsed.visitorKeys };
    setParents(file);
    return file;
  } catch {
    // A file that cannot be read or parsed is unknown, and what it exports is unknown with it.
    return undefined;
  }
}

function setParents(file: SourceFile): void {
  const stack: Node[] = [file.ast];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    for (const child of childrenOf(file, node)) {
      child.parent = node;
      stack.push(child);
    }
  }
}
