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

/** What the `.env*` and Compose files of one workspace folder name. */
export async function findInFolder(
  folder: WorkspaceFolder,
  osUser?: string,
): Promise<readonly FoundConnection[]> {
  const places = await findFiles(folder.path);
  return (await Promise.all(places.map((place) => findInPlace(place, folder, osUser)))).flat();
}

export interface NamedInFile {
  readonly found: readonly FoundConnection[];
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
  const found = await findInPlace(place, folder, osUser);
  return {
    found: found.map((each) => ({
      ...each,
      sources: each.sources.map((source) => ({ ...source, file })),
    })),
    unusable: isCompose ? [] : unusableVariables(await readVariables(folder, name, node), osUser),
  };
}

async function findInPlace(
  { dotenv, compose }: FoundFiles,
  folder: WorkspaceFolder,
  osUser: string | undefined,
): Promise<readonly FoundConnection[]> {
  const ofDotenv = dotenv.map(async (file) =>
    connectionsInVariables(await readVariables(folder, file, node), osUser).map((named) =>
      toWorkspaceFound(named, file, folder),
    ),
  );
  const [base] = compose;
  const ofCompose =
    base === undefined
      ? []
      : (await readComposeConnections(compose, folder)).map((named) =>
          toWorkspaceFound(named, base, folder),
        );
  return [...(await Promise.all(ofDotenv)).flat(), ...ofCompose];
}

const node: DotenvDialect = { comment: 'anywhere' };
const docker: DotenvDialect = { comment: 'after space' };

async function readVariables(
  folder: WorkspaceFolder,
  file: string,
  dialect: DotenvDialect,
): Promise<Variables> {
  const text = await readText(folder, file);
  return text === undefined ? new Map() : readDotenv(text, dialect);
}

async function readComposeConnections(
  files: readonly string[],
  folder: WorkspaceFolder,
): Promise<readonly NamedTarget[]> {
  const texts = await Promise.all(files.map((file) => readText(folder, file)));
  const services = texts
    .map((text) =>
      parseComposeFile(text === undefined || text.length > longestComposeFile ? '' : text),
    )
    .reduce(mergeCompose, new Map());
  const beside = posix.dirname(files[0] ?? '');
  return connectionsInCompose(services, {
    variables: await readVariables(folder, posix.join(beside, '.env'), docker),
    envFiles: await readEnvFiles(services, (path) =>
      readVariables(folder, posix.join(beside, path), docker),
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
