import { dirname } from 'node:path';
import type { Scope } from 'eslint';
import type { TSESTree } from '@typescript-eslint/types';
import { createAnswers } from './answers.ts';
import { createClosures, type Closure, type Closures } from './closures.ts';
import { createEnvSamples, type EnvSample } from './env-samples.ts';
import { createFileLooks, type FileLooks } from './file-looks.ts';
import { createImportPaths } from './import-paths.ts';
import {
  createReach,
  importsDriver,
  mayAcquire,
  speaksToClient,
  type Reach,
  mayLend,
  surelyLends,
} from './reach.ts';
import type { FileSource } from './file-source.ts';
import { createShelf } from './shelf.ts';
import { linkParents } from '../syntax/preorder.ts';
import { createProjectTexts, type ProjectTexts } from './project-texts.ts';
import type { SourceFile } from '../syntax/source-file.ts';

/** What an ESLint parser returns, as far as it is used here. */
export interface Parsed {
  readonly ast: TSESTree.Program;
  readonly scopeManager: Scope.ScopeManager;
  readonly visitorKeys: SourceFile['visitorKeys'];
}

/** Where a node stands, in whatever tree of its file. */
export interface NodePlace {
  readonly path: string;
  readonly type: string;
  readonly range: readonly [start: number, end: number];
}

export type FindAnswer<Found> = (reader: ModuleReader, file: SourceFile) => Found;

/** A question about a file, how its answer is found, and others that are likely to be asked of the same file. */
export interface Question<Found> {
  readonly text: string;
  readonly find: FindAnswer<Found>;
  readonly others: FindAnswer<readonly Question<Found>[]>;
}

/** Reads other files of the project. Parsing is the linted file's own parser's job. */
export interface ModuleReader {
  /**
   * The file that an import names: by a relative path, an alias of tsconfig.json, `imports` of package.json, or as a package of the
   * same repository. Undefined when there is none, it does not parse, or it belongs to an installed package.
   */
  read(specifier: string, importer: SourceFile): SourceFile | undefined;
  /** False when neither a file nor anything that it imports may check a client out. Left out where every file is worth opening. */
  leadsToCheckout?(file: SourceFile): boolean;
  /** False when neither a file nor anything that it imports names a driver's package. */
  leadsToDriver?(file: SourceFile): boolean;
  /**
   * The answer to a question about a file, which is found apart from this reader's trees and gives plain data, so that it is kept
   * without them. Where trees have to go, others that are likely to be asked of the same file are answered first, as far as its tree
   * tells. Left out where every question is asked in place.
   */
  answer?<Found>(path: string, question: Question<Found>, unknown: Found): Found;
  /** The file at a path that an answer names. */
  open?(path: string): SourceFile | undefined;
  /** The texts of the project that add a listener for 'error' events to something. */
  readonly listeningTexts?: ProjectTexts;
  /** The sample of the environment of the package that a file belongs to. Left out where no folder is looked at. */
  envSampleFor?(file: SourceFile): EnvSample | undefined;
}

/** `something.on('error', …)` */
const errorListener = /\.\s*(?:on|once|addListener|prependListener)\s*\(\s*['"`]error['"`]/u;

/** The files of a project, parsed; kept between runs for as long as they stay as they are. */
export interface Modules {
  /** A reader for one run: it looks at each file once. A file that imports the linted one gets it as the linter has it. */
  readerFor(linted: SourceFile | undefined): ModuleReader;
}

/** Characters of text for which trees are kept, the latest; a tree takes about 150 bytes for each. */
const bounds = { run: 1_200_000, editor: 350_000 } as const;

/** `maximalTrees` is the number of characters of text for which trees are kept. */
export function createModules(
  parse: (text: string, path: string) => Parsed | undefined,
  source?: FileSource,
  maximalTrees: number = source === undefined ? bounds.run : bounds.editor,
): Modules {
  const looks = createFileLooks(source);
  const trees = createTrees(looks, parse, maximalTrees);
  const { textAt, fileAt, trim } = trees;
  const pathFor = createImportPaths(looks);
  const envSampleIn = createEnvSamples(looks);
  const listeningTexts = createProjectTexts(looks, errorListener);
  const closures = createClosures(looks);
  const project = {
    closures,
    read: (specifier: string, importer: SourceFile) =>
      orNothing(pathFor(specifier, importer), textAt),
  };
  const drivers = createReach(project, importsDriver);
  const checkouts = createReach(project, checksOutBy(drivers));
  const answerApart = createAsking(trees, closures, (closure) => createReader(undefined, closure));
  /** A file stays the same object for one reader, whatever becomes of its tree meanwhile. */
  const createReader = (
    linted: SourceFile | undefined,
    closure: Closure | undefined,
  ): ModuleReader => {
    const files = new Map<string, SourceFile | undefined>();
    const open = (path: string): SourceFile | undefined => {
      if (closure !== undefined) closures.addFile(closure, path);
      if (!files.has(path)) files.set(path, path === linted?.path ? linted : fileAt(path));
      return files.get(path);
    };
    const leadsBy = (reach: Reach) =>
      leadsWith(reach, linted, textAt, (quiet) => closure?.parts.add(quiet));
    return {
      listeningTexts,
      read(specifier, importer) {
        if (closure !== undefined) closures.addImport(closure, specifier, importer.path);
        return orNothing(pathFor(specifier, importer), open);
      },
      envSampleFor: ({ path }) => envSampleIn(dirname(path)),
      leadsToCheckout: leadsBy(checkouts),
      leadsToDriver: leadsBy(drivers),
      open,
      answer: answerApart,
    };
  };
  return {
    readerFor(linted) {
      looks.startRun();
      closures.startRun();
      trim();
      return createReader(linted, undefined);
    },
  };
}

/** Answers questions about files by readers of their own. */
function createAsking(
  { fileAt, isFull, trim, withoutParsing }: Trees,
  closures: Closures,
  createReader: (closure: Closure | undefined) => ModuleReader,
): NonNullable<ModuleReader['answer']> {
  const answers = createAnswers<unknown>(closures);
  return <Found>(path: string, question: Question<Found>, unknown: Found): Found => {
    let read: SourceFile | undefined;
    const answerTo = ({ text, find }: Question<Found>): Found =>
      answers.answerFor(`${path}\0${text}`, unknown, (closure) => {
        read = fileAt(path);
        closures.addFile(closure, path);
        return read === undefined ? unknown : find(createReader(closure), read);
      }) as Found;
    const found = answerTo(question);
    if (answers.isIdle() && isFull()) {
      for (const other of read === undefined ? [] : question.others(createReader(undefined), read))
        withoutParsing(() => answerTo(other));
      trim();
    }
    return found;
  };
}

/** A pool shows by its driver, else by what is done with its clients. */
function checksOutBy(drivers: Reach): (file: SourceFile) => boolean {
  return (file) =>
    (mayAcquire(file) && (speaksToClient(file) || drivers.quietFrom(file) === undefined)) ||
    (mayLend(file) && (surelyLends(file) || drivers.quietFrom(file) === undefined));
}

function orNothing<Found>(
  path: string | undefined,
  find: (path: string) => Found | undefined,
): Found | undefined {
  return path === undefined ? undefined : find(path);
}

interface Trees {
  /** A file for its text only: nobody looks at its tree. */
  readonly textAt: (path: string) => SourceFile | undefined;
  /** A file whose tree is kept while there is room, and else parsed again: then it is another object. */
  readonly fileAt: (path: string) => SourceFile | undefined;
  /** Whether trees are to go. */
  readonly isFull: () => boolean;
  readonly trim: () => void;
  /** Runs to its end unless a tree is asked for that is not there. */
  readonly withoutParsing: (run: () => void) => void;
}

/** Says that a tree would have to be parsed. */
class NotThere extends Error {}

function createTrees(
  looks: FileLooks,
  parse: (text: string, path: string) => Parsed | undefined,
  maximalTrees: number,
): Trees {
  const shelf = createShelf(maximalTrees);
  const files = new Map<string, SourceFile>();
  let mayParse = true;
  const textAt = looks.remember((text, path) => fileOf(path, text, () => nothing));
  return {
    textAt,
    fileAt(path) {
      const seen = textAt(path);
      const before = files.get(path);
      if (seen === undefined) return undefined;
      if (before?.text === seen.text) {
        shelf.touch(path);
        return before;
      }
      const file = fileOf(path, seen.text, () => {
        if (!mayParse) throw new NotThere();
        shelf.put(path, seen.text.length);
        return parseOrNothing(seen.text, path, parse);
      });
      files.set(path, file);
      return file;
    },
    isFull: () => shelf.isFull(),
    trim() {
      for (const path of shelf.trim()) files.delete(path);
    },
    withoutParsing(run) {
      mayParse = false;
      try {
        run();
      } catch (problem) {
        if (!(problem instanceof NotThere)) throw problem;
      } finally {
        mayParse = true;
      }
    },
  };
}

/** What a file leads to while one is being linted, which may not be saved yet: then it may be what the others lead to. */
function leadsWith(
  reach: Reach,
  linted: SourceFile | undefined,
  textAt: (path: string) => SourceFile | undefined,
  note: (quiet: Closure) => void,
): (file: SourceFile) => boolean {
  let own: boolean | undefined;
  let isNew: boolean | undefined;
  const leadsItself = (file: SourceFile): boolean => (own ??= reach.leadsAnew(file));
  const isNewHere = (file: SourceFile): boolean => {
    const saved = textAt(file.path);
    return saved !== undefined && saved.text !== file.text && leadsItself(file);
  };
  return (file) => {
    if (file === linted) return leadsItself(file);
    const quiet = reach.quietFrom(textAt(file.path) ?? file);
    if (quiet === undefined) return true;
    note(quiet);
    return linted !== undefined && (isNew ??= isNewHere(linted));
  };
}

/** Parsed when somebody looks at its tree: often the text says enough. A file that does not parse exports nothing that is known. */
function fileOf(path: string, text: string, parse: () => Parsed): SourceFile {
  let parsed: Parsed | undefined;
  const parsedOnce = (): Parsed => {
    if (parsed !== undefined) return parsed;
    parsed = parse();
    linkParents(file);
    return parsed;
  };
  const file: SourceFile = {
    path,
    text,
    get ast() {
      return parsedOnce().ast;
    },
    get scopes() {
      return parsedOnce().scopeManager;
    },
    get visitorKeys() {
      return parsedOnce().visitorKeys;
    },
  };
  return file;
}

function parseOrNothing(
  text: string,
  path: string,
  parse: (text: string, path: string) => Parsed | undefined,
): Parsed {
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
