import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { version } from '../../../package.json';
import { readOrdinary } from '../../../rules/project/ordinary-file.ts';
import type { CheckedFile, CheckSettings } from '../../lint/check-file.ts';
import type { LintedFile } from '../../lint/linter.ts';
import { readSource } from '../../lint/read-source.ts';
import { isSyntaxError } from '../../lint/to-problem.ts';
import { toJson } from '../../text/to-json.ts';
import { writeWhole } from '../../files/write-whole.ts';
import { createFingerprints, digest, digestOf, type Fingerprints } from './fingerprints.ts';
import {
  indicesIn,
  readSavedLint,
  toStretches,
  type Said,
  type SavedFile,
  type SavedLint,
} from './saved-lint.ts';
import { signed, unsigned } from './signing-key.ts';

/** What earlier runs said of files, for as long as all that was looked at for that stays as it is. */
export interface LintCache {
  /** Whether there is a file that was not signed with the key. */
  readonly isForeign: boolean;
  /** Undefined where the file has to be checked. */
  find(path: string): LintedFile | undefined;
  /** Writes what is known from now on. Gives the sentence that says why not, or null. */
  save(checked: readonly CheckedFile[]): string | null;
}

export interface CacheSettings {
  /** The file of the cache. */
  readonly file: string;
  /** What signs it: who commits a cache could say in it that there are no problems. */
  readonly signingKey: string;
  /** Other files that the program is about to write. */
  readonly written: readonly string[];
  readonly checks: CheckSettings;
  readonly ruleIds: readonly string[];
  /** What runs the rules. */
  readonly bundle: string | undefined;
  /** When this run began, in milliseconds since 1970. */
  readonly begun: number;
}

/** A file of some megabytes holds what is said of thousands. */
const longestCache = 256 * 1024 * 1024;

export const cacheName = '.poolguardcache';

/** Where the cache is: in a folder that is there, or whose name ends as one, under a name of its own for each working folder, as ESLint does. */
export function cacheFileAt(location: string, cwd: string): string {
  const path = resolve(cwd, location);
  return /[/\\]$/u.test(location) || isFolder(path) ? join(path, `.cache_${digest(cwd)}`) : path;
}

/** A file that is missing, broken, signed by others, or of other settings or another version, is an empty cache. */
export function openLintCache(settings: CacheSettings): LintCache {
  const { file, signingKey, written, ruleIds, begun } = settings;
  const configuredBy = digestsOf(settings.checks);
  const isFixing = settings.checks.fixing !== undefined;
  const key = keyOf(settings);
  const { saved, isForeign } = readSaved(file, key, settings);
  const prints = createFingerprints([file, ...written], settings.checks.cwd);
  const isSame = saved.paths.map((path, index) => prints.of(path) === saved.prints[index]);
  const isFresh = isSame.every(Boolean)
    ? () => true
    : ({ reads }: SavedFile) =>
        indicesIn(reads, isSame.length)?.every((index) => isSame[index]) === true;
  const fresh = new Map(
    saved.files.flatMap((each) => (isFresh(each) ? [[each.path, each] as const] : [])),
  );
  return {
    isForeign,
    find(path) {
      const found = fresh.get(path);
      if (found?.by !== configuredBy(path)) return undefined;
      // What may be fixed has to be looked at again.
      return isFixing && found.said !== undefined ? undefined : toLinted(found);
    },
    save(checked) {
      const kept = checked.filter(
        (each) =>
          isWorthKeeping(each, ruleIds) &&
          !each.reads.some((path) => prints.mayHaveChangedSince(path, begun)),
      );
      const again = new Set(checked.map(({ path }) => path));
      const others = [...fresh.values()].filter(({ path }) => !again.has(path));
      if (checked.length === 0 && others.length === saved.files.length) return null;
      const earlier = others.flatMap(({ reads, ...entry }) => {
        const indices = indicesIn(reads, isSame.length);
        if (indices === undefined) return [];
        return [{ ...entry, reads: indices.map((index) => saved.paths[index] ?? '') }];
      });
      const entries = kept.map((each) => entryOf(each, configuredBy(each.path)));
      const content = toJson(toSaved(key, [...earlier, ...entries], prints));
      return writeWhole(file, signed(content, signingKey), {
        cwd: settings.checks.cwd,
        isDeep: true,
      });
    },
  };
}

interface Entry {
  readonly path: string;
  readonly by: string;
  readonly reads: readonly string[];
  readonly said?: Said;
}

function toLinted(saved: SavedFile): LintedFile {
  return { path: saved.path, text: textFor(saved), ...(saved.said ?? nothingSaid) };
}

/** A short text for the configuration of each file. */
function digestsOf({ configurations = [], chosen }: CheckSettings): (path: string) => string {
  const digests = configurations.map((each) => digest(toJson(each)));
  return (path) => digests[chosen?.get(path) ?? 0] ?? '';
}

const nothingSaid: Said = { problems: [], suppressed: [] };

function entryOf({ path, reads, problems, suppressed }: CheckedFile, by: string): Entry {
  const isSilent = problems.length + suppressed.length === 0;
  return { path, by, reads, ...(isSilent ? {} : { said: { problems, suppressed } }) };
}

/** A file that could not be checked may be another time; one that does not parse never will. */
function isWorthKeeping(
  { reads, problems, mistake, fixed }: CheckedFile,
  ruleIds: readonly string[],
): boolean {
  return (
    reads.length > 0 &&
    mistake === undefined &&
    fixed === undefined &&
    problems.every((problem) =>
      problem.rule === null ? isSyntaxError(problem) : ruleIds.includes(problem.rule),
    )
  );
}

function toSaved(key: string, entries: readonly Entry[], prints: Fingerprints): SavedLint {
  const paths = [...new Set(entries.flatMap(({ reads }) => reads))].sort();
  const indices = new Map(paths.map((path, index) => [path, index]));
  const files = entries.map(({ reads, ...entry }): SavedFile => {
    const ascending = reads.map((path) => indices.get(path) ?? 0).sort((one, other) => one - other);
    return { ...entry, reads: toStretches(ascending) };
  });
  return { key, paths, prints: paths.map((path) => prints.of(path)), files };
}

function readSaved(
  file: string,
  key: string,
  { signingKey, ruleIds }: CacheSettings,
): { readonly saved: SavedLint; readonly isForeign: boolean } {
  const nothing: SavedLint = { key, paths: [], prints: [], files: [] };
  const read = readOrdinary(file, { longest: longestCache });
  if (read.kind === 'unread') return { saved: nothing, isForeign: false };
  const content = unsigned(read.bytes.toString('utf8'), signingKey);
  if (content === undefined) return { saved: nothing, isForeign: true };
  const found = readSavedLint(parsed(content), ruleIds);
  return { saved: found?.key === key ? found : nothing, isForeign: false };
}

/** Undefined for what is not JSON. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Whoever prints the source of a file reads it where something is said of it. */
function textFor({ path, said }: SavedFile): string {
  return (said?.problems.length ?? 0) > 0 ? readSource(path) : '';
}

function keyOf({ checks, bundle }: CacheSettings): string {
  return digest(
    toJson({
      version,
      bundle: bundle === undefined ? null : digestOf(bundle, Infinity),
      node: process.version,
      cwd: checks.cwd,
    }),
  );
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
