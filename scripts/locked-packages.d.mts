/** A package as npm's lock file has it, as far as we read it. */
export interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  /** Only development dependencies lead to it. */
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

export interface LockFile {
  /** By the place, relative to the repository: "node_modules/pg". */
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

export interface Machine {
  readonly platform: string;
  readonly arch: string;
  /** "glibc" or "musl"; undefined elsewhere than on Linux. */
  readonly libc: string | undefined;
}

export interface WantedPackage extends LockedPackage {
  readonly place: string;
}

/** The packages that npm installs on a machine; without those that only development dependencies need, if those are omitted. */
export function packagesFor(
  lock: LockFile,
  options: Machine & { readonly omitsDev: boolean },
): readonly WantedPackage[];

/** Whether all that are not optional are installed, by what npm wrote down of its last installation. */
export function areInstalled(wanted: readonly WantedPackage[], installed: LockFile): boolean;

/** Says at each call how many of the packages are there, and which one came last; npm reports no progress to programs. */
export function createProgress(
  wanted: readonly Pick<WantedPackage, 'place'>[],
  isThere: (place: string) => boolean,
): () => string;
