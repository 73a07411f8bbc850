import { join, relative, sep } from 'node:path';
import type { HostFiles } from '../host.ts';
import { isOnThisMachine, isWithin, pathOfUri, uriOfPath } from '../path-of-document.ts';
import type { Snapshot } from '../snapshot.ts';

/** Where a file that ran is in the workspace. */
export interface WorkspaceFile {
  /** As the editor knows it. */
  readonly uri: string;
  /** Path in its workspace folder. */
  readonly way: string;
  /** Without links. */
  readonly realPath: string;
  /** Undefined when it is not open. */
  readonly snapshot: Snapshot | undefined;
}

interface Real {
  readonly path: string;
  readonly realPath: string;
}

/** Finds the files of the workspace by the paths that Node tells, which go through no links and are spelled as the disk spells them. */
export async function findWorkspaceFiles(
  documents: readonly Snapshot[],
  folders: readonly string[],
  files: HostFiles,
): Promise<(path: string) => Promise<WorkspaceFile | undefined>> {
  const real = async (path: string): Promise<Real> => ({
    path,
    realPath: await files.realPathOf(path),
  });
  const realFolders = await Promise.all(folders.map(real));
  const open = await Promise.all(
    documents
      .filter(({ uri }) => isOnThisMachine(uri))
      .map(async (snapshot) => ({ snapshot, ...(await real(pathOfUri(snapshot.uri) ?? '')) })),
  );
  return async (told) => {
    if (told.split(sep).includes('node_modules')) return undefined;
    const { realPath } = await real(told);
    const found = open.find((each) => each.realPath === realPath);
    const path = found?.path ?? pathIn(realFolders, realPath);
    const folder = path === undefined ? undefined : folders.find((each) => isWithin(each, path));
    return path === undefined || folder === undefined
      ? undefined
      : {
          uri: found?.snapshot.uri ?? uriOfPath(path),
          way: relative(folder, path),
          realPath,
          snapshot: found?.snapshot,
        };
  };
}

/** The path that the workspace has for a file; undefined for one that lies elsewhere. */
function pathIn(folders: readonly Real[], realPath: string): string | undefined {
  const folder = folders.find((each) => isWithin(each.realPath, realPath));
  return folder && join(folder.path, relative(folder.realPath, realPath));
}
