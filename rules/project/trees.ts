import type { Scope } from 'eslint';
import type { TSESTree } from '@typescript-eslint/types';
import type { FileStates } from './file-states.ts';
import { createLruCache } from './lru-cache.ts';
import type { SourceFile } from '../syntax/source-file.ts';

/** What an ESLint parser returns, as far as it is used here. */
export interface Parsed {
  readonly ast: TSESTree.Program;
  readonly scopeManager: Scope.ScopeManager;
  readonly visitorKeys: SourceFile['visitorKeys'];
}

/**
 * The one way in which a text becomes a tree, whoever parses it: what typescript-estree makes, in which each node knows the one around it.
 * Undefined where no parser is at hand; throws what is wrong with the text.
 */
export type ParseText = (text: string, path: string) => Parsed | undefined;

/** The trees of other files. */
export interface Trees {
  /** A file for its text only: nobody looks at its tree. */
  readonly textAt: (path: string) => SourceFile | undefined;
  /** A file of its own for each who asks: from the first look at its tree on, it keeps that one. */
  readonly fileAt: (path: string) => SourceFile | undefined;
  /** Lets trees go where there are too many, each after `leave` was told its path; says whether any went. */
  readonly trim: (leave: (path: string) => void) => boolean;
  /** What `find` gives; undefined where it asks for a tree that is not there. */
  readonly withoutParsing: <Found>(find: () => Found) => Found | undefined;
}

/** Says that a tree would have to be parsed. */
class NotThere extends Error {}

/** Trees are kept for `maximalText` characters of text, the latest, and else parsed again. */
export function createTrees(fileStates: FileStates, parse: ParseText, maximalText: number): Trees {
  const cache = createLruCache(maximalText);
  const trees = new Map<string, { readonly text: string; readonly parsed: Parsed }>();
  let mayParse = true;
  const textAt = fileStates.remember((text, path) => textOnly(path, text));
  const treeAt = (path: string, text: string): Parsed => {
    const before = trees.get(path);
    if (before?.text === text) {
      cache.touch(path);
      return before.parsed;
    }
    if (!mayParse) throw new NotThere();
    cache.put(path, text.length);
    const parsed = parseOrNothing(text, path, parse);
    trees.set(path, { text, parsed });
    return parsed;
  };
  return {
    textAt,
    fileAt(path) {
      const text = textAt(path)?.text;
      return text === undefined ? undefined : fileOf(path, text, () => treeAt(path, text));
    },
    trim(leave) {
      const leaving = cache.trim();
      for (const path of leaving) leave(path);
      for (const path of leaving) trees.delete(path);
      return leaving.length > 0;
    },
    withoutParsing(find) {
      mayParse = false;
      try {
        return find();
      } catch (problem) {
        if (problem instanceof NotThere) return undefined;
        throw problem;
      } finally {
        mayParse = true;
      }
    },
  };
}

/** A file without a tree, for who looks at its text. */
export function textOnly(path: string, text: string): SourceFile {
  return fileOf(path, text, () => nothing);
}

/** Parsed when somebody looks at its tree: often the text says enough. */
function fileOf(path: string, text: string, parse: () => Parsed): SourceFile {
  let parsed: Parsed | undefined;
  return {
    path,
    text,
    get ast() {
      return (parsed ??= parse()).ast;
    },
    get scopes() {
      return (parsed ??= parse()).scopeManager;
    },
    get visitorKeys() {
      return (parsed ??= parse()).visitorKeys;
    },
  };
}

/** A file that does not parse exports nothing that is known. */
function parseOrNothing(text: string, path: string, parse: ParseText): Parsed {
  try {
    return parse(text, path) ?? nothing;
  } catch {
    return nothing;
  }
}

const start = { line: 1, column: 0 };
const program = {
  type: 'Program',
  body: [],
  comments: [],
  tokens: [],
  sourceType: 'module',
  range: [0, 0],
  loc: { start, end: start },
} as unknown as TSESTree.Program;
const nothing: Parsed = {
  ast: program,
  scopeManager: { scopes: [] } as unknown as Scope.ScopeManager,
  visitorKeys: {},
};
