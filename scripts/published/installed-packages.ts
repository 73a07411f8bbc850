/** A package that npm installs with one of ours, as package-lock.json has it. */
export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** Subresource Integrity, as in the lock file. */
  readonly integrity: string | undefined;
}

interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface LockFile {
  readonly packages: Readonly<Record<string, Locked>>;
}

/** Everything that the run-time dependencies of the package in that folder bring along, by name and version; optional ones too. */
export function installedWith(lock: LockFile, folder: string): readonly InstalledPackage[] {
  const places = new Set<string>();
  const waiting = [folder];
  for (let from = waiting.pop(); from !== undefined; from = waiting.pop()) {
    const { dependencies = {}, optionalDependencies = {} } = lock.packages[from] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const place = placeOf(lock, name, from);
      if (places.has(place)) continue;
      places.add(place);
      waiting.push(place);
    }
  }
  return [...places].sort().map((place) => read(lock, place));
}

/** Where Node finds a package: in the nearest node_modules on the way up. */
function placeOf({ packages }: LockFile, name: string, from: string): string {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const place = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    if (place in packages) return place;
    if (at === '')
      throw new Error(
        `package-lock.json has no ${name}, which ${from === '' ? 'package.json' : from} depends on: run \`npm install\`.`,
      );
  }
}

function read({ packages }: LockFile, place: string): InstalledPackage {
  const { version = '', license = 'unknown', integrity } = packages[place] ?? {};
  return {
    name: place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length),
    version,
    license,
    integrity,
  };
}
