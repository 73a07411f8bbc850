import { dirname } from 'node:path';
import type { Scope } from 'eslint';
import type { TSESTree } from '@typescript-eslint/types';
import { createEnvSamples, type EnvSample } from './env-samples.ts';
import { createFileLooks } from './file-looks.ts';
import { createImportPaths } from './import-paths.ts';
import { createReach, importsDriver, mayAcquire, speaksToClient, type Reach } from './reach.ts';
import { createRecentlyLinted } from './recently-linted.ts';
import type { FileSource } from './file-source.ts';
import { createShelf } from './shelf.ts';
import { linkParents } from './preorder.ts';
import { createProjectTexts, type ProjectTexts } from './project-texts.ts';
import type { SourceFile } from './source-file.ts';

/** What an ESLint parser returns, as far as it is used here. */
export interface Parsed {
  readonly ast: TSESTree.Program;
  readonly scopeManager: Scope.ScopeManager;
  readonly visitorKeys: SourceFile['visitorKeys'];
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

interface ModulesOptions {
  /** What stands in front of the disk. */
  readonly source?: FileSource | undefined;
  /** A tree which the linter has shown stays as it is when the linter has gone on. */
  readonly keepsTrees?: boolean;
}

/** Characters of text for which trees are kept, the latest; a tree takes about 180 bytes for each. A run ends soon, and an editor's server lives for days. */
const bounds = {
  run: { trees: 2_000_000, linted: 600_000 },
  editor: { trees: 350_000, linted: 150_000 },
} as const;
/** Of files that nobody has looked into yet there is only the text. */
const weightOfUnparsed = 0.02;

export function createModules(
  parse: (text: string, path: string) => Parsed | undefined,
  { source, keepsTrees = true }: ModulesOptions = {},
): Modules {
  const looks = createFileLooks(source);
  const bound = source === undefined ? bounds.run : bounds.editor;
  const recent = createRecentlyLinted(bound.linted);
  const shelf = createShelf(bound.trees);
  const rememberedAt = looks.remember((text, path) => {
    shelf.put(path, text.length * weightOfUnparsed);
    return fileOf(path, text, () => {
      shelf.put(path, text.length);
      return asLinted(recent.find(path, text)) ?? parse(text, path);
    });
  });
  const fileAtPath = (path: string): SourceFile | undefined => {
    shelf.touch(path);
    return rememberedAt(path);
  };
  const pathFor = createImportPaths(looks);
  const envSampleIn = createEnvSamples(looks);
  const read = (specifier: string, importer: SourceFile): SourceFile | undefined => {
    const path = pathFor(specifier, importer);
    return path === undefined ? undefined : fileAtPath(path);
  };
  const listeningTexts = createProjectTexts(looks, errorListener);
  const drivers = createReach({ looks, read }, importsDriver);
  const checkouts = createReach(
    { looks, read },
    (file) => mayAcquire(file) && (speaksToClient(file) || drivers.leads(file)),
  );
  return {
    readerFor(linted) {
      looks.startRun();
      // Between two runs only: within one, a file must stay the same object.
      for (const path of shelf.trim()) rememberedAt.drop(path);
      checkouts.startRun();
      drivers.startRun();
      const leadsBy = (reach: Reach) => leadsWith(reach, linted, fileAtPath);
      const leadsToCheckout = leadsBy(checkouts);
      if (keepsTrees && linted !== undefined && isImportable(linted, leadsToCheckout))
        recent.add(linted);
      return {
        listeningTexts,
        read: (specifier, importer) =>
          linted !== undefined && pathFor(specifier, importer) === linted.path
            ? linted
            : read(specifier, importer),
        envSampleFor: ({ path }) => envSampleIn(dirname(path)),
        leadsToCheckout,
        leadsToDriver: leadsBy(drivers),
      };
    },
  };
}

function asLinted(file: SourceFile | undefined): Parsed | undefined {
  return file === undefined
    ? undefined
    : { ast: file.ast, scopeManager: file.scopes, visitorKeys: file.visitorKeys };
}

/** What leads to no checkout is hardly ever opened for others. */
function isImportable(file: SourceFile, leads: (file: SourceFile) => boolean): boolean {
  return /\bexport/u.test(file.text) && leads(file);
}

/** What a file leads to while one is being linted, which may not be saved yet: then it may be what the others lead to. */
function leadsWith(
  reach: Reach,
  linted: SourceFile | undefined,
  fileAtPath: (path: string) => SourceFile | undefined,
): (file: SourceFile) => boolean {
  let own: boolean | undefined;
  let isNew: boolean | undefined;
  const leadsItself = (file: SourceFile): boolean => (own ??= reach.leadsAnew(file));
  const isNewHere = (file: SourceFile): boolean => {
    const saved = fileAtPath(file.path);
    return saved !== undefined && saved.text !== file.text && leadsItself(file);
  };
  return (file) => {
    if (file === linted) return leadsItself(file);
    return reach.leads(file) || (linted !== undefined && (isNew ??= isNewHere(linted)));
  };
}

/** Parsed when somebody looks at its tree: often the text says enough. A file that does not parse exports nothing that is known. */
function fileOf(
  path: string,
  text: string,
  parse: (text: string, path: string) => Parsed | undefined,
): SourceFile {
  let parsed: Parsed | undefined;
  const parsedOnce = (): Parsed => {
    if (parsed !== undefined) return parsed;
    parsed = parseOrNothing(text, path, parse);
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
