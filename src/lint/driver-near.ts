import { dirname, join, resolve, sep } from 'node:path';
import * as v from 'valibot';
import type { FileStates } from '../../rules/project/file-states.ts';
import { createManifestReader, type Manifest } from '../../rules/project/manifests.ts';
import { createPackages } from '../../rules/project/packages.ts';
import { driverPackages } from '../../rules/model/drivers.ts';

/** Whether a file can have to do with a pool driver, as the manifests around it tell. */
export interface DriverNear {
  /**
   * False when neither the file's package, nor a manifest above it up to the root of the repository, nor a package of the same
   * repository that one of them depends on, names a driver. True when that cannot be told: no manifest, one that does not parse, a
   * file outside of the folder. Both paths are absolute. An answer is remembered for the folder of the file.
   */
  isNear(path: string, folder: string): boolean;
  /** A manifest has changed, come or gone. */
  invalidate(): void;
}

/** What runs elsewhere names its packages in files of its own. */
const foreignManifests: readonly string[] = ['deno.json', 'deno.jsonc'];

export function createDriverNear(looks: FileStates): DriverNear {
  const manifestAt = createManifestReader(looks);
  const packages = createPackages(looks);
  const rootOf = looks.oncePerRun(
    (folder) => pathsUp(folder).find((each) => looks.namesIn(each).has('.git')) ?? folder,
  );
  const dependenciesOf = looks.oncePerRun((folder): readonly Dependency[] =>
    dependenciesIn(manifestAt(folder) ?? {}).map(([name, range]) => ({
      name: aliased(range) ?? name,
      folder: folderIn(range, folder) ?? packages.folderOf(name, folder),
    })),
  );
  const isUnknown = (folder: string): boolean =>
    (looks.isFile(join(folder, manifestName)) && manifestAt(folder) === undefined) ||
    foreignManifests.some((name) => looks.isFile(join(folder, name)));
  /** From the folders with a manifest around a file, one in each line. */
  const leadsToDriver = looks.oncePerRun((start): boolean => {
    const folders = new Set(start.split('\n'));
    // The set grows while it is read: it is the worklist.
    for (const folder of folders) {
      if (isUnknown(folder)) return true;
      for (const each of dependenciesOf(folder)) {
        if (isDriver(each.name)) return true;
        if (each.folder !== undefined) folders.add(each.folder);
      }
    }
    return false;
  });
  const isNearIn = looks.oncePerRun((question) => {
    const [start = '', folder = ''] = question.split('\0');
    const root = rootOf(folder);
    const around = pathsUp(start).filter((each) => isInside(each, root));
    const known = around.filter((each) => manifestAt(each) !== undefined || isUnknown(each));
    return known.length === 0 || leadsToDriver(known.join('\n'));
  });
  return {
    isNear: (path, folder) => !isInside(path, folder) || isNearIn(`${dirname(path)}\0${folder}`),
    invalidate: () => {
      looks.startRun();
    },
  };
}

const manifestName = 'package.json';

/** A package that a manifest names; `folder` is where it lies if it is part of the repository. */
interface Dependency {
  readonly name: string;
  readonly folder: string | undefined;
}

const kinds = [
  'dependencies',
  'devDependencies',
  'peerDependencies',
  'optionalDependencies',
] as const;

/** Ranges by name; one that is no text says nothing. */
const Dependencies = v.fallback(v.record(v.string(), v.fallback(v.string(), '')), {});

function dependenciesIn(manifest: Manifest): readonly (readonly [name: string, range: string])[] {
  return kinds.flatMap((kind) => Object.entries(v.parse(Dependencies, manifest[kind])));
}

/** Types alone say that the package is given pools by others. */
function isDriver(name: string): boolean {
  return driverPackages.has(name.replace(/^@types\//u, ''));
}

/** `npm:pg@8` stands under another name. */
function aliased(range: string): string | undefined {
  return /^npm:(?<name>@?[^@]+)/u.exec(range)?.groups?.['name'];
}

/** `file:../db`, `link:../db`, `portal:../db`, `workspace:../db` */
function folderIn(range: string, from: string): string | undefined {
  const way = /^(?:file|link|portal|workspace):(?<way>\.{1,2}(?:\/.*)?)$/u.exec(range)?.groups?.[
    'way'
  ];
  return way === undefined ? undefined : resolve(from, way);
}

function pathsUp(folder: string): readonly string[] {
  const up = dirname(folder);
  return up === folder ? [folder] : [folder, ...pathsUp(up)];
}

/** Both are absolute and normal. It is asked for each file, and `relative` takes ten times as long. */
function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
