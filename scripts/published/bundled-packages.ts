import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import type { Artifact } from './artifacts.ts';

/** A package of others, parts of which are in bundles of ours. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** As its manifest says: an SPDX expression, or whatever stands there. */
  readonly license: string;
  /** Where it is installed, relative to the repository. */
  readonly folder: string;
  /** The files of ours that hold parts of it. */
  readonly bundles: readonly string[];
}

/** The packages in an artifact's bundles by name and version, as the build noted them under dist/metafiles/. Throws a sentence when a bundle was not built. */
export function bundledPackagesOf(
  { folder, files }: Artifact,
  root: string,
): readonly BundledPackage[] {
  const bundles = files.map(({ path }) => path).filter((path) => /\.(?:c?js|css)$/u.test(path));
  const places = new Map<string, Set<string>>();
  for (const bundle of bundles) {
    for (const place of installedInputs(readMetafile(root, folder, bundle)))
      places.set(place, (places.get(place) ?? new Set()).add(bundle));
  }
  return mergeSame([...places].map(([place, holders]) => readPackage(root, place, [...holders])));
}

/** The packages' folders of which something came into an output; what was read and left out does not count. */
export function installedInputs({ outputs }: Metafile): readonly string[] {
  const inputs = Object.values(outputs).flatMap((output) =>
    Object.entries(output.inputs).flatMap(([path, { bytesInOutput }]) =>
      bytesInOutput > 0 ? [path] : [],
    ),
  );
  return [
    ...new Set(
      inputs.flatMap(
        (path) =>
          /^(?:[^:]+:)?(?<place>.*(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+)\//u.exec(path)
            ?.groups?.['place'] ?? [],
      ),
    ),
  ].sort();
}

/** What the build noted of a bundle. Throws a sentence when it was not built. */
export function readMetafile(root: string, folder: string, bundle: string): Metafile {
  const output = folder === '.' ? bundle : `${folder}/${bundle}`;
  const path = join(root, 'dist/metafiles', `${output.replaceAll('/', '__')}.json`);
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Metafile;
  } catch (cause) {
    throw new Error(`What is in ${output} is not known: run \`npm run build\` first.`, { cause });
  }
}

function readPackage(root: string, folder: string, bundles: readonly string[]): BundledPackage {
  const { name, version, license } = JSON.parse(
    readFileSync(join(root, folder, 'package.json'), 'utf8'),
  ) as { readonly name: string; readonly version: string; readonly license?: unknown };
  return {
    name,
    version,
    license: typeof license === 'string' ? license : 'unknown',
    folder,
    bundles,
  };
}

/** The same version may be installed in several places. */
function mergeSame(packages: readonly BundledPackage[]): readonly BundledPackage[] {
  const merged = new Map<string, BundledPackage>();
  for (const each of packages) {
    const key = `${each.name}@${each.version}`;
    const before = merged.get(key);
    merged.set(key, {
      ...each,
      bundles: [...new Set([...(before?.bundles ?? []), ...each.bundles])].sort(),
    });
  }
  return [...merged].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each);
}
