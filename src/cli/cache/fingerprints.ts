import { createHash } from 'node:crypto';
import { readdirSync, realpathSync, statSync, type Stats } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { readOrdinary } from '../../../rules/project/ordinary-file.ts';
import { repositoryOf } from '../../files/inside.ts';

/** What stands at paths, each looked at once. */
export interface Fingerprints {
  /** Another one when the content of a file, the names in a folder or where it leads are others, and when something is there or gone. */
  of(path: string): string;
  /** Whether what stands there may have changed since a moment, in milliseconds since 1970. */
  mayHaveChangedSince(path: string, moment: number): boolean;
}

const tellingNames = /^(?:\.git|package\.json|pnpm-workspace\.yaml)$|\.[cm]?[jt]sx?$/u;

/** Larger files are not read, here as elsewhere. In bytes. */
const longestRead = 16_000_000;

/** What the clock of a file system may be behind that of the program. */
const grainMs = 20;

/**
 * `own` are the files that the program itself writes: they are no news in their folders. In folders above the repository that the working folder
 * belongs to anybody may write, and only what says where a project begins, or what an import names, counts there.
 */
export function createFingerprints(own: readonly string[], cwd: string): Fingerprints {
  const ignored = new Set(own);
  const root = repositoryOf(cwd) ?? cwd;
  const isAbove = (path: string): boolean =>
    path !== root && !relative(path, root).startsWith('..');
  const counts = (folder: string) => {
    const isFar = isAbove(folder);
    return (name: string): boolean =>
      isFar ? tellingNames.test(name) : !ignored.has(join(folder, name));
  };
  const of = oncePerPath((path) => {
    const stats = statsOf(path);
    if (stats === undefined) return '-';
    try {
      if (stats.isDirectory()) return folderPrint(path, counts(path));
      return digestOf(path, longestRead) ?? `${stats.size} ${stats.mtimeMs}`;
    } catch {
      return '?';
    }
  });
  /** Where nothing is, the folder tells since when. Not by what `of` saw, which may have been earlier. */
  const changedMs = oncePerPath((path): number => {
    const stats = statsOf(path);
    if (stats === undefined) return path === dirname(path) ? 0 : changedMs(dirname(path));
    return isAbove(path) ? 0 : Math.max(stats.mtimeMs, stats.ctimeMs);
  });
  return { of, mayHaveChangedSince: (path, moment) => changedMs(path) > moment - grainMs };
}

function oncePerPath<Answer>(answer: (path: string) => Answer): (path: string) => Answer {
  const answers = new Map<string, Answer>();
  return (path) => {
    if (!answers.has(path)) answers.set(path, answer(path));
    return answers.get(path) as Answer;
  };
}

/** A short text that no other content has. */
export function digest(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}

/** The same of a file; undefined for what cannot be read, is no ordinary file, or is longer. */
export function digestOf(path: string, longest: number): string | undefined {
  const read = readOrdinary(path, { longest });
  return read.kind === 'read' ? digest(read.bytes) : undefined;
}

function folderPrint(folder: string, counts: (name: string) => boolean): string {
  const names = readdirSync(folder).filter(counts);
  return digest([realpathSync.native(folder), ...names.sort()].join('\0'));
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
