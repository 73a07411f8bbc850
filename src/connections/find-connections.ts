import { environmentParameters } from '../database/target.ts';
import {
  findPasswordForRepository,
  type FoundConnection,
  isOfWorkspaceOnly,
  mergeFound,
  toFound,
} from './found-connection.ts';
import {
  type Machine,
  readPasswordFile,
  readServiceFiles,
  type ServiceFile,
} from './libpq-files.ts';
import { type NamedTarget, readTargetOf } from './named-target.ts';
import { connectionsInPgpass, findPassword, type PgpassLine } from './pgpass.ts';
import { connectionsInServices } from './service-file.ts';
import { connectionsInVariables } from './variable-connections.ts';
import { findInFolder, type WorkspaceFolder } from './workspace-connections.ts';

export interface FoundConnections {
  /** Of workspace files, the editor's own environment, service files and the password file, in this order. */
  readonly connections: readonly FoundConnection[];
  /** Sentences about files that were left aside. */
  readonly warnings: readonly string[];
}

/**
 * What the files of workspace folders and of the user name as connections. Files are read and parsed, nothing is run or opened.
 * An address without a password gets that of the password file. Never rejects.
 */
export async function findConnections(
  folders: readonly WorkspaceFolder[],
  machine: Machine,
): Promise<FoundConnections> {
  const osUser = machine.environment['USER'] ?? machine.environment['USERNAME'];
  const [ofFolders, serviceFiles, passwords] = await Promise.all([
    Promise.all(folders.map((folder) => findInFolder(folder, osUser))),
    readServiceFiles(machine),
    readPasswordFile(machine),
  ]);
  const found = mergeFound([
    ...ofFolders.flatMap(({ found: each }) => each),
    ...connectionsInEnvironment(machine, serviceFiles, osUser).map((named) =>
      toFound(named, { file: 'environment of the editor', folder: null }),
    ),
    ...serviceFiles.flatMap(({ file, services }) =>
      connectionsInServices(services, osUser).map((named) =>
        toFound(named, { file, folder: null }),
      ),
    ),
    ...connectionsInPgpass(passwords.lines).map((named) =>
      toFound(named, { file: passwords.file, folder: null }),
    ),
  ]);
  return {
    connections: found.map((each) => withPassword(each, passwords.lines)),
    warnings: [
      ...ofFolders.flatMap(({ warnings }) => warnings),
      ...(passwords.warning === null ? [] : [passwords.warning]),
    ],
  };
}

/** `DATABASE_URL`, and what libpq would connect to: the service that `PGSERVICE` names, completed by the `PG*` variables. */
export function connectionsInEnvironment(
  { environment }: Pick<Machine, 'environment'>,
  serviceFiles: readonly ServiceFile[],
  osUser?: string,
): readonly NamedTarget[] {
  const url = environment['DATABASE_URL'];
  const service = environment['PGSERVICE'];
  const parameters = serviceFiles
    .map(({ services }) => services.get(service ?? ''))
    .find((each) => each !== undefined);
  const isNamed = ['PGHOST', 'PGPORT', 'PGDATABASE', 'PGUSER'].some((name) => environment[name]);
  const libpq =
    parameters === undefined ? { name: 'PG*', parameters: {} } : { name: 'PGSERVICE', parameters };
  return [
    ...(url ? connectionsInVariables(new Map([['DATABASE_URL', url]]), osUser) : []),
    ...(isNamed || parameters !== undefined
      ? readTargetOf(libpq.name, { ...environmentParameters(environment), ...libpq.parameters })
      : []),
  ];
}

function withPassword(found: FoundConnection, lines: readonly PgpassLine[]): FoundConnection {
  if (found.secret !== null) return found;
  return {
    ...found,
    secret: isOfWorkspaceOnly(found)
      ? findPasswordForRepository(lines, found.target)
      : findPassword(lines, found.target),
  };
}
