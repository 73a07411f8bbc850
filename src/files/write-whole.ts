import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { toPlainText } from '../activity/plain-text.ts';
import { ledAway, wayTo } from './inside.ts';

// Not by write-file-atomic: its drafts have longer names than the files, so a file of the longest name cannot be written; and its newest version leaves Node.js 20 out.

/** Why nothing can be written there, as a sentence; null when it seems possible. Leaves no trace. In the workspace of `cwd` no link is followed, and only ordinary files are written. */
export function whyNotWritable(path: string, cwd = process.cwd()): string | null {
  try {
    const { isWithin, ledTo } = wayTo(path, cwd);
    if (ledTo !== undefined) return ledAway(path, ledTo);
    const there = look(path);
    if (there?.isDirectory() === true)
      return `${toPlainText(path)} is a folder. Name a file in it.`;
    if (path.endsWith('/'))
      return `The folder ${toPlainText(path)} does not exist. Create it first.`;
    if (there === null || there.isFile())
      accessSync(dirname(there === null ? path : realpathSync(path)), constants.W_OK);
    else if (isWithin)
      return `${toPlainText(path)} is not an ordinary file. Delete it, or choose another place.`;
    else accessSync(path, constants.W_OK);
    return null;
  } catch (error) {
    return explain(path, error);
  }
}

interface Writing {
  /** The working folder. */
  readonly cwd?: string;
  /** Permissions of a file that is not there yet. */
  readonly mode?: number;
  /** Whether folders around it are made that are missing. */
  readonly isDeep?: boolean;
}

/**
 * Writes a file as a whole or not at all: a reader sees the old text or the new one, whatever happens in between. Permissions stay as they
 * are. Outside of the workspace of `cwd` a link stays a link, and what is no file (a pipe, `/dev/null`) is written to directly.
 * Gives the sentence that says why not, or null.
 */
export function writeWhole(
  path: string,
  text: string,
  { cwd = process.cwd(), mode, isDeep = false }: Writing = {},
): string | null {
  try {
    if (isDeep && wayTo(path, cwd).ledTo === undefined)
      mkdirSync(dirname(path), { recursive: true });
    const why = whyNotWritable(path, cwd);
    if (why !== null) return why;
    put(path, text, mode);
    return null;
  } catch (error) {
    return explain(path, error);
  }
}

function put(path: string, text: string, mode: number | undefined): void {
  const there = look(path);
  if (there !== null && !there.isFile()) writeFileSync(path, text);
  else replace(there === null ? path : realpathSync(path), text, there?.mode ?? mode);
}

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = constants;

function replace(path: string, text: string, mode: number | undefined): void {
  const draft = join(
    dirname(path),
    `.${basename(path).slice(0, 100)}.${randomBytes(6).toString('hex')}.tmp`,
  );
  try {
    const file = openSync(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, (mode ?? 0o666) & 0o777);
    try {
      if (mode !== undefined) fchmodSync(file, mode & 0o777);
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

function look(path: string) {
  return statSync(path, { throwIfNoEntry: false }) ?? null;
}

const reasons: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `The folder of ${path} does not exist. Create it first.`,
  ENOTDIR: (path) => `${path} has a parent that is not a folder.`,
  EACCES: (path) => `${path} may not be written by you. Choose another place.`,
  EPERM: (path) => `${path} may not be written by you. Choose another place.`,
  EROFS: (path) => `${path} is on a file system that is read-only. Choose another place.`,
  ENOSPC: (path) =>
    `There is no space left for ${path}; nothing of it was kept. Make room, or choose another place.`,
  EDQUOT: (path) =>
    `Your quota has no room for ${path}; nothing of it was kept. Make room, or choose another place.`,
  EISDIR: (path) => `${path} is a folder. Name a file in it.`,
  ENAMETOOLONG: () => 'That name is longer than the file system allows. Choose a shorter one.',
  ELOOP: (path) => `${path} is a link that leads in a circle.`,
};

function explain(path: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
  const words = new Map(Object.entries(reasons)).get(code);
  return words === undefined
    ? `${toPlainText(path)} cannot be written (${code}).`
    : words(toPlainText(path));
}
