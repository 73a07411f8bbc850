import type { Nesting } from './circles.ts';
import type { EnvSample } from './env-samples.ts';
import type { ImportersOf } from './importers.ts';
import type { ProjectTexts } from './project-texts.ts';
import type { SourceFile } from '../syntax/source-file.ts';

/** Where a node stands, in whatever tree of its file. */
export interface NodePlace {
  readonly path: string;
  readonly type: string;
  readonly range: readonly [start: number, end: number];
}

export type FindAnswer<Found> = (reader: ModuleReader, file: SourceFile) => Found;

/** A question about a file, and how its answer is found. */
export interface Question<Found> {
  readonly text: string;
  readonly find: FindAnswer<Found>;
  /** Whether two answers say the same: what leads to itself is found again until it does. */
  readonly isSame?: ((one: Found, other: Found) => boolean) | undefined;
  readonly family?: Family<Found> | undefined;
}

/** Questions that are likely to be asked of one file. */
export interface Family<Found> {
  readonly name: string;
  readonly membersIn: FindAnswer<readonly Question<Found>[]>;
}

/** A file's path below the folder of its project; as it is where no folder is looked at. */
export function pathInProject({ path }: SourceFile, { texts }: ModuleReader): string {
  return texts?.listening.pathInProject(path) ?? path;
}

/** Reads other files of the project. Parsing is the linted file's own parser's job. */
export interface ModuleReader {
  /**
   * The file that an import names: by a relative path, an alias of tsconfig.json, `imports` of package.json, or as a package of the
   * same repository. Undefined when there is none, it does not parse, or it belongs to an installed package.
   */
  read(specifier: string, importer: SourceFile): SourceFile | undefined;
  /** The package that an import names, which an import map may call otherwise. Left out where every name is its own. */
  packageFor?(specifier: string, importer: SourceFile): string;
  /** False when neither a file nor anything that it imports may check a client out. Left out where every file is worth opening. */
  leadsToCheckout?(file: SourceFile): boolean;
  /** False when neither a file nor anything that it imports names a driver's package. */
  leadsToDriver?(file: SourceFile): boolean;
  /** The same of a package that has a function or decorator which holds or lends a connection. */
  leadsToHolder?(file: SourceFile): boolean;
  /**
   * The answer to a question about a file, which is found apart from this reader's trees and gives plain data, so that it is kept
   * without them. Where a tree has to go, the rest of the families that its file was asked is answered first, as far as the trees tell
   * that are there. Left out where every question is asked in place.
   */
  answer?<Found>(path: string, question: Question<Found>, unknown: Found): Found;
  /** The file at a path that an answer names, or that was read before. */
  open?(path: string): SourceFile | undefined;
  /** Of all questions that are asked of these files. Left out where no other file is read. */
  readonly nesting?: Nesting | undefined;
  /** The texts of the project that say something of the whole of it, by what that is. */
  readonly texts?: Readonly<Record<TextKind, ProjectTexts>>;
  /** Left out where no folder is looked at. */
  readonly importersOf?: ImportersOf;
  /** The sample of the environment of the package that a file belongs to. Left out where no folder is looked at. */
  envSampleFor?(file: SourceFile): EnvSample | undefined;
  /** The version of an installed package as a file imports it. Left out where no folder is looked at. */
  versionFor?(name: string, file: SourceFile): string | undefined;
}

/** What texts of a project may say of the whole of it. */
export type TextKind =
  | 'listening'
  | 'releasing'
  | 'ending'
  | 'ambient'
  | 'binding'
  | 'providing'
  | 'implementing'
  | 'adapter';
