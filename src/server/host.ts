import type { SourceText } from '../lint/linter.ts';
import type { LintThread } from '../lint/lint-thread.ts';
import type { ThreadStart } from '../lint/thread-messages.ts';

/** What a rule is set to in the workspace's own ESLint configuration. */
export interface ConfiguredRule {
  readonly severity: 'off' | 'warn' | 'error';
  readonly options: readonly unknown[];
}

/** By `poolguard/<rule>`; only rules that the configuration names. */
export type ConfiguredRules = Readonly<Record<string, ConfiguredRule>>;

/** An answer that may take ESLint a second or two, the first time. */
export interface Configured {
  /** What holds until then; undefined when nothing is known of the file. */
  readonly known?: ConfiguredRules;
  /** What will hold. It is missing when `known` is up to date, and never rejects. */
  readonly coming?: Promise<ConfiguredRules>;
}

/** Above this many source files a folder is no single project; the rest is not looked at, and that is said. */
export const mostFiles = 5000;

/** The files of a machine, for whoever checks more than what is open. */
export interface HostFiles {
  /** Absolute paths of the sources in a folder that git does not ignore. */
  sourcesIn(folder: string): Promise<readonly string[]>;
  /** Absolute paths of the `.sql` files in a folder that git does not ignore. */
  sqlIn(folder: string): Promise<readonly string[]>;
  /** Tells one version of a file from another; undefined for what cannot be read. */
  stampOf(path: string): Promise<string | undefined>;
  /** Where the links of a path lead to, spelled as the disk spells it; the path itself when nothing is there. */
  realPathOf(path: string): Promise<string>;
  /** Undefined for what cannot be read, and for what nobody wrote by hand. */
  textOf(path: string): Promise<TextOnDisk | undefined>;
  /** The source files below folders that look as if they made a pool, those aside that git ignores. */
  withPools(folders: readonly string[]): Promise<PoolFiles>;
  /** A linter that leaves the server free for its editor. */
  startLinting(start: ThreadStart): LintThread;
  /** How many of them can work at a time. */
  readonly processors: number;
}

/** What a server can ask of the machine it runs on: much in Node, little in a browser. */
export interface Host {
  /** Whether anything in the file's package can have to do with a pool driver. True when that cannot be told. */
  isDriverNear(path: string, folder: string): boolean;
  /** What the ESLint of the workspace would do with our rules in a file. That runs its configuration: for trusted workspaces only. */
  configuredRules(path: string, folder: string): Configured;
  /** Files have changed: what was remembered of them may be wrong. */
  forgetFiles(): void;
  /** Undefined where there are none. */
  readonly files: HostFiles | undefined;
  /** Ends what the host has started. */
  dispose(): Promise<void>;
}

/** A text as it lies on the disk, without the byte order mark that no editor shows. */
export interface TextOnDisk {
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

export interface PoolFiles {
  readonly files: readonly SourceText[];
  /** Whether there are more source files than are looked at. */
  readonly isCut: boolean;
}

/** Of a host that sees no files, and of a workspace whose ESLint says nothing about our rules. */
export const nothingConfigured: ConfiguredRules = {};

/** A host without files: a browser, or a workspace that lies elsewhere. */
export const hostWithoutFiles: Host = {
  isDriverNear: () => true,
  configuredRules: () => ({ known: nothingConfigured }),
  forgetFiles: () => undefined,
  files: undefined,
  dispose: () => Promise.resolve(),
};
