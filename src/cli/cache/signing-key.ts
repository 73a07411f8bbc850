import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { readOrdinary } from '../../../rules/project/ordinary-file.ts';
import { toPlainText } from '../../activity/plain-text.ts';
import type { Environment } from '../../database/target.ts';
import { isInside, placeOf, workspaceOf } from '../../files/inside.ts';
import { writeWhole } from '../../files/write-whole.ts';

/** A secret of the user's, which no repository can have made a cache with. */
export type SigningKey =
  | { readonly kind: 'key'; readonly key: string }
  /** The sentence says what to do. */
  | { readonly kind: 'none'; readonly sentence: string };

/** For machines that hand a cache to each other, as those of a build server do. */
const variable = 'POOLGUARD_CACHE_KEY';
/** What is shorter can be guessed. */
const shortestKey = 16;

/** The key of the environment, else that in the user's own folder, which is made where there is none. */
export function findSigningKey(env: Environment, cwd: string): SigningKey {
  const given = env[variable] ?? '';
  if (given !== '')
    return given.length < shortestKey
      ? none(`${variable} has fewer than ${shortestKey} characters. Make it a long random text.`)
      : { kind: 'key', key: given };
  const file = join(stateFolder(env), 'poolguard', 'cache-key');
  if (isInside(placeOf(file), workspaceOf(cwd)))
    return none(`The key for it would lie in this repository. Set ${variable}.`);
  return readKey(file) ?? makeKey(file, cwd);
}

/** Where the user's programs keep what they know (XDG Base Directory Specification). */
function stateFolder(env: Environment): string {
  const named = env['XDG_STATE_HOME'] ?? env['LOCALAPPDATA'] ?? '';
  return isAbsolute(named) ? named : join(env['HOME'] ?? homedir(), '.local', 'state');
}

/** Undefined where there is none, or others may read it. */
function readKey(file: string): SigningKey | undefined {
  const read = readOrdinary(file, { longest: 1000 });
  if (read.kind === 'unread') return undefined;
  const key = read.bytes.toString('latin1').trim();
  const isOpen = process.platform !== 'win32' && (read.mode & 0o077) !== 0;
  return isOpen || key.length < shortestKey ? undefined : { kind: 'key', key };
}

/** Of two programs that make one at once, the key of the later stays. */
function makeKey(file: string, cwd: string): SigningKey {
  // Where others may read one, the permissions of that would stay.
  if (existsSync(file)) rmSync(file);
  const key = `${randomBytes(32).toString('base64url')}\n`;
  const why = writeWhole(file, key, { cwd, mode: 0o600, isDeep: true });
  return (
    readKey(file) ??
    none(
      `${why ?? `${toPlainText(file)} cannot be read.`} Or set ${variable} to a long random text.`,
    )
  );
}

function none(sentence: string): SigningKey {
  return { kind: 'none', sentence };
}

/** A text with its signature before it. */
export function signed(text: string, key: string): string {
  return `${signatureOf(text, key)}\n${text}`;
}

/** The text that was signed with a key; undefined for any other. */
export function unsigned(written: string, key: string): string | undefined {
  const end = written.indexOf('\n');
  const text = written.slice(end + 1);
  const [told, own] = [written.slice(0, Math.max(end, 0)), signatureOf(text, key)].map((each) =>
    Buffer.from(each),
  ) as [Buffer, Buffer];
  return told.length === own.length && timingSafeEqual(told, own) ? text : undefined;
}

function signatureOf(text: string, key: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}
