import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, posix, resolve } from 'node:path';
import type { TlsFiles } from '../database/target.ts';
import { connectionsInCompose } from './compose-connections.ts';
import {
  type ComposeServices,
  longestComposeFile,
  mergeCompose,
  parseComposeFile,
} from './compose-file.ts';
import { type DotenvDialect, readDotenv } from './dotenv.ts';
import { type FoundConnection, toFound } from './found-connection.ts';
import type { NamedTarget } from './named-target.ts';
import { readBounded } from './read-bounded.ts';
import {
  connectionsInVariables,
  type UnusableVariable,
  unusableVariables,
  type Variables,
} from './variable-connections.ts';
import { composeFilesFrom, findFiles, type FoundFiles } from './workspace-files.ts';

export interface WorkspaceFolder {
  readonly name: string;
  readonly path: string;
}

export interface FoundInFiles {
  readonly found: readonly FoundConnection[];
  /** Sentences about files that were not read to their end. */
  readonly warnings: readonly string[];
}

/** What the `.env*` and Compose files of one workspace folder name. */
export async function findInFolder(
  folder: WorkspaceFolder,
  osUser?: string,
): Promise<FoundInFiles> {
  const reading: Reading = { folder, osUser, warnings: new Set() };
  const places = await findFiles(folder.path);
  const found = await Promise.all(places.map((place) => findInPlace(place, reading)));
  return { found: found.flat(), warnings: [...reading.warnings] };
}

interface Reading {
  readonly folder: WorkspaceFolder;
  readonly osUser: string | undefined;
  readonly warnings: Set<string>;
}

export interface NamedInFile extends FoundInFiles {
  /** Variables of the file that are no connections, with the reason; none of a Compose file. */
  readonly unusable: readonly UnusableVariable[];
}

/**
 * What one file names that somebody pointed at: Compose with its override files for `.yml` and `.yaml`, else variables. Relative to `cwd`;
 * called in the sources as it was pointed at. Null when there is no such file.
 */
export async function findInFile(
  file: string,
  cwd: string,
  osUser?: string,
): Promise<NamedInFile | null> {
  const path = await realpath(resolve(cwd, file)).catch(() => null);
  if (path === null || (await readBounded(path)).kind !== 'text') return null;
  const [folder, name] = [{ name: '', path: dirname(path) }, basename(path)];
  const isCompose = /\.ya?ml$/i.test(name);
  const place = isCompose
    ? { dotenv: [], compose: await composeFilesFrom(folder.path, name) }
    : { dotenv: [name], compose: [] };
  const reading: Reading = { folder, osUser, warnings: new Set() };
  const found = await findInPlace(place, reading);
  return {
    found: found.map((each) => ({
      ...each,
      sources: each.sources.map((source) => ({ ...source, file })),
    })),
    unusable: isCompose ? [] : unusableVariables(await readVariables(name, node, reading), osUser),
    warnings: [...reading.warnings],
  };
}

async function findInPlace(
  { dotenv, compose }: FoundFiles,
  reading: Reading,
): Promise<readonly FoundConnection[]> {
  const { folder, osUser } = reading;
  const ofDotenv = dotenv.map(async (file) =>
    connectionsInVariables(await readVariables(file, node, reading), osUser).map((named) =>
      toWorkspaceFound(named, file, folder),
    ),
  );
  const [base] = compose;
  const ofCompose =
    base === undefined
      ? []
      : (await readComposeConnections(compose, reading)).map((named) =>
          toWorkspaceFound(named, base, folder),
        );
  return [...(await Promise.all(ofDotenv)).flat(), ...ofCompose];
}

const node: DotenvDialect = { comment: 'anywhere' };
const docker: DotenvDialect = { comment: 'after space' };

async function readVariables(
  file: string,
  dialect: DotenvDialect,
  { folder, warnings }: Reading,
): Promise<Variables> {
  const text = await readText(folder, file);
  if (text === undefined) return new Map();
  const { variables, isOutgrown } = readDotenv(text, dialect);
  if (isOutgrown)
    warnings.add(
      `The variables of ${file} name each other until their values exceed 1 MB. The rest was left as written.`,
    );
  return variables;
}

async function readComposeConnections(
  files: readonly string[],
  reading: Reading,
): Promise<readonly NamedTarget[]> {
  const texts = await Promise.all(files.map((file) => readText(reading.folder, file)));
  const services = texts
    .map((text) =>
      parseComposeFile(text === undefined || text.length > longestComposeFile ? '' : text),
    )
    .reduce(mergeCompose, new Map());
  const beside = posix.dirname(files[0] ?? '');
  return connectionsInCompose(services, {
    variables: await readVariables(posix.join(beside, '.env'), docker, reading),
    envFiles: await readEnvFiles(services, (path) =>
      readVariables(posix.join(beside, path), docker, reading),
    ),
  });
}

const mostEnvFiles = 20;

async function readEnvFiles(
  services: ComposeServices,
  read: (path: string) => Promise<Variables>,
): Promise<ReadonlyMap<string, Variables>> {
  const paths = [...new Set([...services.values()].flatMap(({ envFiles }) => envFiles))]
    .filter((path) => !isAbsolute(path))
    .slice(0, mostEnvFiles);
  return new Map(await Promise.all(paths.map(async (path) => [path, await read(path)] as const)));
}

async function readText(folder: WorkspaceFolder, file: string): Promise<string | undefined> {
  const read = await readBounded(join(folder.path, file), { within: folder.path });
  return read.kind === 'text' ? read.text : undefined;
}

function toWorkspaceFound(
  { target, ...named }: NamedTarget,
  file: string,
  folder: WorkspaceFolder,
): FoundConnection {
  const absolute = (path: string | null): string | null =>
    path === null || path === 'system' || isAbsolute(path)
      ? path
      : join(folder.path, posix.dirname(file), path);
  const tlsFiles: TlsFiles = {
    ca: absolute(target.tlsFiles.ca),
    cert: absolute(target.tlsFiles.cert),
    key: absolute(target.tlsFiles.key),
  };
  return toFound({ ...named, target: { ...target, tlsFiles } }, { file, folder: folder.name });
}
