import { dirname } from 'node:path';
import { libraries } from '../model/libraries.ts';
import { createAnswers } from './answers.ts';
import { createAsking, type Noting } from './asking.ts';
import { createNesting } from './circles.ts';
import { createClosures, type Closure, type Closures } from './closures.ts';
import { createEnvSamples } from './env-samples.ts';
import { createFileStates, type FileStates } from './file-states.ts';
import { createImports } from './import-paths.ts';
import { createImporters } from './importers.ts';
import {
  createImportReachability,
  holders,
  importsDriver,
  mayAcquire,
  speaksToClient,
  type ImportReachability,
  mayLend,
  surelyLends,
} from './import-reachability.ts';
import type { FileSource } from './file-source.ts';
import type { ModuleReader, TextKind } from './module-reader.ts';
import {
  createSearch,
  createProjectTexts,
  createSources,
  type ProjectTexts,
  type Sources,
} from './project-texts.ts';
import type { SourceFile } from '../syntax/source-file.ts';
import { createTrees, type Parsed } from './trees.ts';
import { createManifestReader } from './manifests.ts';
import { installedAbove } from './packages.ts';

const sinceCalls = libraries.flatMap(({ queriesJoin }) =>
  queriesJoin === null || queriesJoin === 'always' ? [] : queriesJoin.since,
);

const binders = libraries.flatMap(({ models: { binders: names } }) => [...names.all, ...names.one]);

const adapters = libraries.flatMap(({ adapters: names }) => Object.keys(names));

const textPatterns: Readonly<Record<TextKind, RegExp>> = {
  /** They add a listener for 'error' events: `something.on('error', …)`. */
  listening: /\.\s*(?:on|once|addListener|prependListener)\s*\(\s*['"`]error['"`]/u,
  /** They release something: `this.client.release()`, `const { release } = request.db`. */
  releasing: /\brelease\b/u,
  /** They end a member of something: `request.db.end()`. */
  ending: /\.\s*[\w$]+\s*(?:[!?]\s*)?\.\s*end\s*\(/u,
  /** They call a method by which queries find the transaction around them: `useCLS` of Sequelize. */
  ambient: new RegExp(`\\.\\s*(?:${sinceCalls.join('|')})\\s*\\(`, 'u'),
  /** They bind models to a pool: `Model.knex(knex)`. */
  binding: new RegExp(`\\.\\s*(?:${binders.join('|')})\\s*\\(`, 'u'),
  /** They tell a container what to give: `{ provide: TOKEN }`, `providers: []`. */
  providing: /\bprovide(?:rs)?\s*:/u,
  /** They implement a type, or give or declare a value of one that they spell. */
  implementing: /\bimplements\b|\)\s*:\s*[A-Z]|\b(?:as|satisfies)\s+[A-Z]|:\s*[A-Z]\w*\s*=/u,
  /** They import what puts the transactions of one library over the pools of another one. */
  adapter: new RegExp(`['"](?:${adapters.join('|')})['"]`, 'u'),
};

function createTexts(
  fileStates: FileStates,
  sources: Sources,
): Readonly<Record<TextKind, ProjectTexts>> {
  const textsWith = (kind: TextKind): ProjectTexts =>
    createProjectTexts(fileStates, sources, textPatterns[kind]);
  return {
    listening: textsWith('listening'),
    releasing: textsWith('releasing'),
    ending: textsWith('ending'),
    ambient: textsWith('ambient'),
    binding: textsWith('binding'),
    providing: textsWith('providing'),
    implementing: textsWith('implementing'),
    adapter: textsWith('adapter'),
  };
}

/** The files of a project, parsed; kept between runs for as long as they stay as they are. */
export interface Modules {
  /** A reader for one run: it looks at each file once. A file that imports the linted one gets it as the linter has it. */
  readerFor(linted: SourceFile | undefined): ModuleReader;
}

/** A tree takes about 60 bytes for each character of its text. */
const charactersKept = 2_000_000;

/** `maximalText` is the number of characters of text for which trees are kept, the latest. */
export function createModules(
  parse: (text: string, path: string) => Parsed | undefined,
  source?: FileSource,
  maximalText = charactersKept,
): Modules {
  const fileStates = createFileStates(source);
  const trees = createTrees(fileStates, parse, maximalText);
  const { pathFor, packageFor } = createImports(fileStates);
  const closures = createClosures(fileStates, source?.note !== undefined);
  const enclosing = createContext(fileStates, closures);
  const read = (specifier: string, importer: SourceFile): SourceFile | undefined =>
    orNothing(pathFor(specifier, importer), trees.textAt);
  const project = { closures, read };
  const drivers = createImportReachability(project, (file) => importsDriver(file, packageFor));
  const holding = createImportReachability(project, (file) =>
    importsDriver(file, packageFor, holders),
  );
  const checkouts = createImportReachability(project, checksOutBy(drivers));
  const nesting = createNesting();
  /** For one reader a file stays the same object, and its tree the same tree. */
  const createReader = (noting: Noting, linted?: SourceFile): ModuleReader => {
    const files = new Map<string, SourceFile | undefined>();
    const open = (path: string): SourceFile | undefined => {
      if (noting.closure !== undefined) closures.addFile(noting.closure, path);
      if (!files.has(path)) files.set(path, path === linted?.path ? linted : trees.fileAt(path));
      return files.get(path);
    };
    const noteImport = (specifier: string, { path }: SourceFile): void => {
      if (noting.closure !== undefined) closures.addImport(noting.closure, specifier, path);
    };
    const leadsBy = (reachability: ImportReachability) =>
      leadsWith(reachability, linted, trees.textAt, (quiet) => noting.closure?.parts.add(quiet));
    return {
      ...enclosing(noting),
      read(specifier, importer) {
        noteImport(specifier, importer);
        return orNothing(pathFor(specifier, importer), open);
      },
      packageFor(specifier, importer) {
        noteImport(specifier, importer);
        return packageFor(specifier, importer);
      },
      leadsToCheckout: leadsBy(checkouts),
      leadsToDriver: leadsBy(drivers),
      leadsToHolder: leadsBy(holding),
      open,
      nesting,
      answer: asking.answer,
    };
  };
  const asking = createAsking(trees, createAnswers<unknown>(closures, nesting), createReader);
  return {
    readerFor(linted) {
      if (fileStates.startRun()) {
        closures.startRun();
        asking.startRun();
      }
      return createReader({}, linted);
    },
  };
}

/** What the files around one say, however they are connected; what is looked at for an answer is added to its closure. */
function createContext(
  fileStates: FileStates,
  closures: Closures,
): (noting: Noting) => Pick<ModuleReader, 'texts' | 'importersOf' | 'envSampleFor' | 'versionFor'> {
  const [envSampleIn, versionIn] = [
    createEnvSamples(fileStates),
    createInstalledVersions(fileStates),
  ];
  const sources = createSources(fileStates);
  const texts = createTexts(fileStates, sources);
  const importersOf = createImporters(fileStates, sources);
  const search = createSearch(fileStates, sources);
  return (noting) => {
    const asking = <Found>(what: string, ask: () => Found): Found => {
      const { closure } = noting;
      if (closure !== undefined) closures.addQuestion(closure, what, ask);
      return ask();
    };
    const through = <Found>(find: (path: string) => Found) => {
      return (path: string): Found => {
        const { closure } = noting;
        if (closure !== undefined)
          closures.addQuestion(closure, dirname(path), () => {
            search(dirname(path));
          });
        return find(path);
      };
    };
    return {
      texts: textsThrough(texts, through),
      importersOf: through(importersOf),
      envSampleFor: ({ path }) => asking(`sample ${path}`, () => envSampleIn(dirname(path))),
      versionFor: (name, { path }) =>
        asking(`version ${name} ${path}`, () => versionIn(name, dirname(path))),
    };
  };
}

function textsThrough(
  texts: Readonly<Record<TextKind, ProjectTexts>>,
  through: <Found>(find: (path: string) => Found) => (path: string) => Found,
): Readonly<Record<TextKind, ProjectTexts>> {
  const entries = Object.entries(texts).map(([kind, each]): [string, ProjectTexts] => [
    kind,
    {
      matching: through((path) => each.matching(path)),
      inPackage: through((path) => each.inPackage(path)),
      pathsMatching: through((path) => each.pathsMatching(path)),
      pathInProject: through((path) => each.pathInProject(path)),
    },
  ]);
  return Object.fromEntries(entries) as Record<TextKind, ProjectTexts>;
}

/** A pool shows by its driver, else by what is done with its clients. */
function checksOutBy(drivers: ImportReachability): (file: SourceFile) => boolean {
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

/** What a file leads to while one is being linted, which may not be saved yet: then it may be what the others lead to. */
function leadsWith(
  reachability: ImportReachability,
  linted: SourceFile | undefined,
  textAt: (path: string) => SourceFile | undefined,
  note: (quiet: Closure) => void,
): (file: SourceFile) => boolean {
  let own: boolean | undefined;
  let isNew: boolean | undefined;
  const leadsItself = (file: SourceFile): boolean => {
    const saved = textAt(file.path);
    return (own ??=
      saved?.text === file.text
        ? reachability.quietFrom(saved) === undefined
        : reachability.leadsAnew(file));
  };
  const isNewHere = (file: SourceFile): boolean => {
    const saved = textAt(file.path);
    return saved !== undefined && saved.text !== file.text && leadsItself(file);
  };
  return (file) => {
    if (file === linted) return leadsItself(file);
    const quiet = reachability.quietFrom(textAt(file.path) ?? file);
    if (quiet === undefined) return true;
    note(quiet);
    return linted !== undefined && (isNew ??= isNewHere(linted));
  };
}

/** The version of a package that Node.js would load for the code in a folder; undefined where none is installed, or it does not say. */
type VersionIn = (name: string, folder: string) => string | undefined;

function createInstalledVersions(fileStates: FileStates): VersionIn {
  const manifestAt = createManifestReader(fileStates);
  return (name, folder) => {
    const installed = installedAbove(name, folder, fileStates);
    const version = installed === undefined ? undefined : manifestAt(installed)?.version;
    return typeof version === 'string' ? version : undefined;
  };
}
