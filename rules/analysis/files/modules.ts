import { basename, dirname, join, resolve } from 'node:path';
import type { Scope } from 'eslint';
import type { TSESTree } from '@typescript-eslint/types';
import { createAliasFinder } from './aliases.ts';
import { createEnvSamples, type EnvSample } from './env-samples.ts';
import { createFileLooks, type FileLooks } from './file-looks.ts';
import { checksOut, createReach } from './reach.ts';
import { createRecentlyLinted } from './recently-linted.ts';
import { createPackages, isInNodeModules } from './packages.ts';
import type { FileSource } from './file-source.ts';
import { createShelf } from './shelf.ts';
import { linkParents } from './preorder.ts';
import { createProjectTexts, type ProjectTexts } from './project-texts.ts';
import { speaksOfDatabase } from './worth-reading.ts';
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
  /** False when nothing that a file reaches may check a client out. Left out where every file is worth opening. */
  leadsToCheckout?(file: SourceFile): boolean;
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

const extensions = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'];
/** TypeScript sources import each other by the name of the file that will be there at run time. */
const sourceOf: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx'],
  '.jsx': ['.tsx'],
  '.mjs': ['.mts'],
  '.cjs': ['.cts'],
};

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
  const aliasesOf = createAliasFinder(looks);
  const packages = createPackages(looks);
  const envSampleIn = createEnvSamples(looks);
  const pathOf = (specifier: string, folder: string): string | undefined => {
    if (/^\.\.?(?:\/|$)/u.test(specifier)) return findFile([resolve(folder, specifier)], looks);
    return (
      findFile(aliasesOf(specifier, folder), looks) ??
      findFile(packages.pathsFor(specifier, folder), looks)
    );
  };
  const pathFrom = looks.oncePerRun((question) => {
    const [folder = '', specifier = ''] = question.split('\0');
    return pathOf(specifier, folder);
  });
  const pathFor = (specifier: string, importer: SourceFile): string | undefined => {
    const path = pathFrom(`${dirname(importer.path)}\0${specifier}`);
    return path !== undefined && isInNodeModules(path) && !isInNodeModules(importer.path)
      ? undefined
      : path;
  };
  const read = (specifier: string, importer: SourceFile): SourceFile | undefined => {
    const path = pathFor(specifier, importer);
    return path === undefined ? undefined : fileAtPath(path);
  };
  const listeningTexts = createProjectTexts(looks, errorListener);
  const reach = createReach({ looks, read });
  return {
    readerFor(linted) {
      looks.startRun();
      // Between two runs only: within one, a file must stay the same object.
      for (const path of shelf.trim()) rememberedAt.drop(path);
      reach.startRun();
      if (keepsTrees && linted !== undefined && isImportable(linted)) recent.add(linted);
      const saved = linted !== undefined && checksOut(linted) ? fileAtPath(linted.path) : undefined;
      const isNewHere = saved !== undefined && !checksOut(saved);
      return {
        listeningTexts,
        read: (specifier, importer) =>
          linted !== undefined && pathFor(specifier, importer) === linted.path
            ? linted
            : read(specifier, importer),
        envSampleFor: ({ path }) => envSampleIn(dirname(path)),
        // What is typed but not saved yet may be what the others lead to.
        leadsToCheckout: (file) => file === linted || isNewHere || reach.leadsToCheckout(file),
      };
    },
  };
}

function asLinted(file: SourceFile | undefined): Parsed | undefined {
  return file === undefined
    ? undefined
    : { ast: file.ast, scopeManager: file.scopes, visitorKeys: file.visitorKeys };
}

/** What exports nothing that speaks of a database is hardly ever opened for others. */
function isImportable(file: SourceFile): boolean {
  return speaksOfDatabase(file) && /\bexport/u.test(file.text);
}

function findFile(bases: readonly string[], looks: FileLooks): string | undefined {
  for (const base of bases) {
    const found = fileAt(base, looks);
    if (found !== undefined) return found;
  }
  return undefined;
}

function fileAt(base: string, looks: FileLooks): string | undefined {
  const folder = dirname(base);
  const names = looks.namesIn(folder);
  const file = namesFor(basename(base)).find(
    (name) => names.has(name) && looks.isFile(join(folder, name)),
  );
  if (file !== undefined) return join(folder, file);
  if (!names.has(basename(base))) return undefined;
  const inside = looks.namesIn(base);
  const index = extensions
    .map((extension) => `index${extension}`)
    .find((name) => inside.has(name) && looks.isFile(join(base, name)));
  return index === undefined ? undefined : join(base, index);
}

/** The names of files that an import of this name may mean. */
function namesFor(name: string): readonly string[] {
  const extension = /\.[cm]?[jt]sx?$/u.exec(name)?.[0];
  const sources =
    extension === undefined
      ? []
      : (sourceOf[extension] ?? []).map((other) => name.slice(0, -extension.length) + other);
  return [
    ...(extension === undefined ? [] : [name]),
    ...extensions.map((each) => name + each),
    ...sources,
  ];
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
