import { drivers } from '../model/drivers.ts';
import { libraries } from '../model/libraries.ts';
import { packageNamed } from '../project/import-paths.ts';
import { exportsOf, mayAssignExports, type ImportedName } from '../syntax/exports.ts';
import { oncePerTree } from '../syntax/once-per-file.ts';
import type { SourceFile } from '../syntax/source-file.ts';
import { isGenerated } from './generated-modules.ts';
import type { Resolver } from './resolver.ts';

/** Who may export a name: a module that declares it, or an import of a module that is not read. */
export interface Exporter {
  readonly name: string;
  /** By `export *`, somewhere on the way. */
  readonly isStarred: boolean;
  readonly from:
    | { readonly kind: 'module'; readonly file: SourceFile }
    | { readonly kind: 'import'; readonly specifier: string; readonly importer: SourceFile };
}

/** What a module exports and whom its stars lead to, without its tree. */
interface Module {
  readonly path: string;
  /** Those that it declares or hands on. */
  readonly names: ReadonlySet<string>;
  readonly handedOn: ReadonlyMap<string, ImportedName>;
  readonly stars: readonly string[];
  /** What its statements do not list: `exports.name = …`, or a file that a library wrote. */
  readonly isOpen: boolean;
}

/** A star that leads to a package, or to nothing that is read, and the path of the module where it stands. */
interface Package {
  readonly specifier: string;
  readonly path: string;
}

type Member = Module | Package;

/** A module and all that it has by stars, in the order in which it has them. */
interface Starred {
  readonly members: readonly Member[];
  /** Where in the list names are exported. */
  readonly byName: ReadonlyMap<string, readonly number[]>;
  /** Which of them may export any name. */
  readonly open: readonly number[];
}

const nobody: Starred = { members: [], byName: new Map(), open: [] };

/**
 * Who may export a name of a module, the likeliest first, each once: ECMAScript, "ResolveExport", but for ambiguous names, of which the
 * first counts. Chains, diamonds and circles of modules may be of any size: what is left to ask stands in a list.
 */
export function* exportersOf(
  start: SourceFile,
  name: string,
  resolver: Resolver,
): Generator<Exporter, void> {
  yield* search({ file: start, name, isStarred: false }, resolver);
}

/** The same for what an import names. */
export function* exportersOfImport(
  imported: ImportedName,
  importer: SourceFile,
  resolver: Resolver,
): Generator<Exporter, void> {
  yield* search(handedTo(imported, importer, false, resolver), resolver);
}

function* search(start: Exporter | Asked, resolver: Resolver): Generator<Exporter, void> {
  const seen = new Set<string>();
  const waiting = [start];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if ('from' in next) {
      yield next;
      continue;
    }
    const key = `${next.file.path}\0${next.name}\0${next.isStarred}`;
    if (seen.has(key)) continue;
    seen.add(key);
    waiting.push(...[...answersTo(next, resolver)].reverse());
  }
}

interface Asked {
  readonly file: SourceFile;
  readonly name: string;
  readonly isStarred: boolean;
}

function* answersTo(asked: Asked, resolver: Resolver): Generator<Exporter | Asked> {
  const { file: start, name } = asked;
  if (name === '*') {
    yield { name, isStarred: asked.isStarred, from: { kind: 'module', file: start } };
    return;
  }
  const { members, byName, open } = starredBy(start, resolver);
  const places = inOrder(byName.get(name) ?? [], open);
  for (const index of name === 'default' ? places.filter((each) => each === 0) : places) {
    const member = members[index] as Member;
    const file = member.path === start.path ? start : resolver.reader.open?.(member.path);
    if (file === undefined) continue;
    const isStarred = asked.isStarred || index > 0;
    if ('specifier' in member) {
      yield importing({ specifier: member.specifier, name }, file, isStarred);
      continue;
    }
    yield { name, isStarred, from: { kind: 'module', file } };
    const next = member.handedOn.get(name);
    if (next !== undefined) yield handedTo(next, file, isStarred, resolver);
  }
}

function importing(
  { specifier, name }: ImportedName,
  importer: SourceFile,
  isStarred: boolean,
): Exporter {
  return { name, isStarred, from: { kind: 'import', specifier, importer } };
}

function handedTo(
  imported: ImportedName,
  importer: SourceFile,
  isStarred: boolean,
  resolver: Resolver,
): Exporter | Asked {
  const file = moduleNamed(imported.specifier, importer, resolver);
  return file === undefined
    ? importing(imported, importer, isStarred)
    : { file, name: imported.name, isStarred };
}

/** Undefined for a package, and for what is not read. */
function moduleNamed(
  specifier: string,
  importer: SourceFile,
  { reader }: Resolver,
): SourceFile | undefined {
  const named = reader.packageFor?.(specifier, importer) ?? packageNamed(specifier);
  return packages.has(named) ? undefined : reader.read(specifier, importer);
}

const packages: ReadonlySet<string> = new Set(
  [...drivers, ...libraries].map(({ module }) => module),
);

function starredBy(file: SourceFile, resolver: Resolver): Starred {
  return resolver.knownIn(file, { text: 'stars', unknown: nobody, find: findStarred });
}

function findStarred(resolver: Resolver, start: SourceFile): Starred {
  const members: Member[] = [];
  const byName = new Map<string, number[]>();
  const open: number[] = [];
  const seen = new Set<string>();
  const waiting: (SourceFile | Package)[] = [start];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const index = members.length;
    if ('specifier' in next) {
      open.push(index);
      members.push(next);
      continue;
    }
    if (seen.has(next.path)) continue;
    seen.add(next.path);
    const module = moduleAt(next, resolver);
    members.push(module);
    if (module.isOpen) open.push(index);
    for (const name of module.names) {
      const places = byName.get(name);
      if (places === undefined) byName.set(name, [index]);
      // Stars hand on no default.
      else if (name !== 'default') places.push(index);
    }
    waiting.push(...starsOf(module, next, resolver).reverse());
  }
  return { members, byName, open };
}

function starsOf(
  { stars }: Module,
  importer: SourceFile,
  resolver: Resolver,
): (SourceFile | Package)[] {
  return stars.map(
    (specifier) => moduleNamed(specifier, importer, resolver) ?? { specifier, path: importer.path },
  );
}

function moduleAt(file: SourceFile, resolver: Resolver): Module {
  return (
    resolver.knownIn(file, {
      text: 'exported names',
      unknown: undefined,
      find: (_, itself) => moduleOf(itself),
    }) ?? moduleOf(file)
  );
}

const moduleOf = oncePerTree((file): Module => {
  const { own, handedOn, stars } = exportsOf(file);
  return {
    path: file.path,
    names: new Set([...own.keys(), ...handedOn.keys()]),
    handedOn,
    stars,
    isOpen: mayAssignExports(file) || isGenerated(file),
  };
});

/** Two rows of numbers as one, each number once. */
function inOrder(one: readonly number[], other: readonly number[]): readonly number[] {
  return other.length === 0 ? one : [...new Set([...one, ...other])].sort((a, b) => a - b);
}
