import { join, relative } from 'node:path';
import {
  findInFile,
  findInFolder,
  type NamedInFile,
} from '../connections/workspace-connections.ts';
import type { UnusableVariable } from '../connections/variable-connections.ts';
import {
  mergeFound,
  type ConnectionSource,
  type FoundConnection,
} from '../connections/found-connection.ts';
import type { Secret } from '../database/secret.ts';
import { type ConnectionTarget, describeTarget } from '../database/target.ts';
import { CouldNotRun } from './exit-code.ts';

export interface NamedTarget {
  readonly target: ConnectionTarget;
  readonly secret: Secret | null;
}

/** The name that counts where a file has several. */
const usualName = 'DATABASE_URL';
const mostShown = 5;

/** The connection that `--database-from <file[#name]>` names. Throws `CouldNotRun` where the file names none, or several and none of them is `DATABASE_URL`. */
export async function takeFromFile(
  option: string,
  cwd: string,
  osUser: string | undefined,
): Promise<NamedTarget> {
  const at = option.lastIndexOf('#');
  const [file, name] = at > 0 ? [option.slice(0, at), option.slice(at + 1)] : [option, undefined];
  const read = await findInFile(file, cwd, osUser);
  if (read === null)
    throw new CouldNotRun(
      `--database-from: ${file} cannot be read: it is missing, no ordinary file, or larger than 1 MB.`,
    );
  const { found } = read;
  const unusable = findUnusable(read, name);
  if (unusable !== undefined)
    throw new CouldNotRun(
      `--database-from: ${unusable.name} of ${file} cannot be used. ${unusable.sentence}`,
    );
  if (found.length === 0)
    throw new CouldNotRun(
      `--database-from: ${file} names no PostgreSQL connection. A line such as DATABASE_URL=postgres://user@host:5432/database does.`,
      { details: read.warnings },
    );
  const [chosen, another] = choose(found, name);
  if (chosen === undefined)
    throw new CouldNotRun(`--database-from: ${file} has no connection named "${name}". It has:`, {
      details: describe(found),
    });
  if (another !== undefined)
    throw new CouldNotRun(
      `--database-from: ${file} names several connections. Add the name of one after #, as in --database-from '${file}#${nameOf(chosen)}':`,
      { details: describe(found) },
    );
  return chosen;
}

/** The variable that is meant, where it is there and no connection: without a name the usual one, or the first where nothing else is one. */
function findUnusable(
  { found, unusable }: NamedInFile,
  name: string | undefined,
): UnusableVariable | undefined {
  if (name !== undefined)
    return found.some((each) => nameOf(each) === name)
      ? undefined
      : unusable.find((each) => each.name === name);
  const urls = unusable.filter(({ isUrl }) => isUrl);
  return urls.find((each) => each.name === usualName) ?? (found.length === 0 ? urls[0] : undefined);
}

/** The connections that are meant; one, where that is clear. */
function choose(
  found: readonly FoundConnection[],
  name: string | undefined,
): readonly FoundConnection[] {
  if (name !== undefined)
    return mergeFound(found.filter((each) => nameOf(each) === name)).slice(0, 1);
  const usual = found.filter((each) => nameOf(each) === usualName);
  return mergeFound(usual.length > 0 ? usual : found);
}

/**
 * Says that no database is named, and which files of this folder name one. Where a command connects is not for a repository
 * to decide, so they are reported and not used.
 */
export async function refuseUnnamed(cwd: string, osUser: string | undefined): Promise<never> {
  const { found, warnings } = await findInFolder({ name: '', path: cwd }, osUser);
  const [first] = found;
  if (first === undefined)
    throw new CouldNotRun(
      'No database named: set DATABASE_URL (postgres://user@host:5432/database), give a connection string as the argument, or name a file that has one with --database-from.',
      { details: warnings },
    );
  throw new CouldNotRun(
    'No database named. Files of this folder name one, and are not used before you say so:',
    {
      details: [...describe(found), ...warnings],
      tryWith: ['--database-from', optionFor(first, found)],
    },
  );
}

/** The same for a command that can do without a database: which files of a folder below `cwd` name one, in a sentence; null where none does. */
export async function tellUnnamed(
  cwd: string,
  folder: string,
  osUser: string | undefined,
): Promise<string | null> {
  const { found } = await findInFolder({ name: '', path: folder }, osUser);
  const [first] = found;
  return first === undefined
    ? null
    : `Files of the application name a database, and are not used before you say so: ${describe(found).join('; ')}. To use it: --database-from ${join(relative(cwd, folder), optionFor(first, found))}`;
}

function optionFor(first: FoundConnection, found: readonly FoundConnection[]): string {
  const { file, name } = sourceOf(first);
  const isPlain =
    choose(
      found.filter((each) => sourceOf(each).file === file),
      undefined,
    )[1] === undefined;
  return isPlain ? file : `${file}#${name}`;
}

function describe(found: readonly FoundConnection[]): readonly string[] {
  const lines = found
    .slice(0, mostShown)
    .map((each) => `${sourceOf(each).file}, ${nameOf(each)}: ${describeTarget(each.target)}`);
  return found.length > mostShown ? [...lines, `… and ${found.length - mostShown} more`] : lines;
}

function nameOf(found: FoundConnection): string {
  return sourceOf(found).name;
}

/** Of a connection that was not merged yet. */
function sourceOf({ sources }: FoundConnection): ConnectionSource {
  const [source] = sources;
  if (source === undefined) throw new Error('A connection was found in no file.');
  return source;
}
