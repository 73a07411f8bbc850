import { FileType, Uri, workspace, type WorkspaceFolder } from 'vscode';
import type { SetupFacts } from '../../lint/setup/setup-answer.ts';
import { readManifest, type Manifest } from '../running/npm-scripts.ts';

/** What of a project decides how a linter is set up in it. */
export interface Project {
  /** Where a new configuration would be written. */
  readonly folder: Uri;
  /** The nearest one of ESLint; null when there is none. */
  readonly eslint: Uri | null;
  readonly oxlint: Uri | null;
  /** An `.eslintrc*`, which new versions of ESLint do not read. */
  readonly legacy: string | null;
  readonly typescript: SetupFacts['typescript'];
  readonly has: { readonly plugin: boolean; readonly eslint: boolean };
  /** The field `packageManager` of the nearest package.json that has one. */
  readonly packageManager: string | undefined;
  /** Names of files in the project's folder and above it, up to the workspace folder. */
  readonly files: ReadonlySet<string>;
}

const flat = ['js', 'mjs', 'cjs', 'ts', 'mts', 'cts'].map(
  (extension) => `eslint.config.${extension}`,
);

/** Looks from the file that one works in up to its workspace folder. */
export async function findProject(
  folder: WorkspaceFolder,
  active: Uri | undefined,
): Promise<Project> {
  const folders = await Promise.all(foldersUp(folder.uri, active).map(look));
  const first = (names: readonly string[]): Uri | null =>
    folders.flatMap(({ uri, files }) =>
      names.filter((name) => files.has(name)).map((name) => Uri.joinPath(uri, name)),
    )[0] ?? null;
  const modules = await Promise.all(
    ['eslint-plugin-poolguard', 'eslint', 'typescript-eslint', '@typescript-eslint/parser'].map(
      (name) => isInstalled(folders, name),
    ),
  );
  const [plugin = false, eslint = false, whole = false, parser = false] = modules;
  const manifests = await Promise.all(
    folders
      .filter(({ files }) => files.has('package.json'))
      .map(({ uri }) => manifestAt(Uri.joinPath(uri, 'package.json'))),
  );
  const legacy = folders.flatMap(({ files }) =>
    [...files].filter((name) => /^\.eslintrc(?:\.(?:js|cjs|json|ya?ml))?$/u.test(name)),
  )[0];
  return {
    folder: folders.findLast(({ files }) => files.has('package.json'))?.uri ?? folder.uri,
    eslint: first(flat),
    oxlint: first(['.oxlintrc.json']),
    legacy: legacy ?? null,
    typescript: whole ? 'typescript-eslint' : parser ? '@typescript-eslint/parser' : null,
    has: { plugin, eslint },
    packageManager: manifests
      .map(({ packageManager }) => packageManager)
      .find((named) => named !== undefined),
    files: new Set(folders.flatMap(({ files }) => [...files])),
  };
}

interface Looked {
  readonly uri: Uri;
  readonly files: ReadonlySet<string>;
}

/** The nearest first; the workspace folder is the last. */
function foldersUp(root: Uri, active: Uri | undefined): Uri[] {
  const isInside =
    active !== undefined &&
    active.scheme === root.scheme &&
    active.path.startsWith(`${root.path}/`);
  const parts = isInside
    ? active.path
        .slice(root.path.length + 1)
        .split('/')
        .slice(0, -1)
    : [];
  return [
    ...parts.map((_, index) => Uri.joinPath(root, ...parts.slice(0, parts.length - index))),
    root,
  ];
}

async function look(uri: Uri): Promise<Looked> {
  try {
    const entries = await workspace.fs.readDirectory(uri);
    return {
      uri,
      files: new Set(
        entries.filter(([, type]) => (type & FileType.Directory) === 0).map(([name]) => name),
      ),
    };
  } catch {
    return { uri, files: new Set() };
  }
}

async function isInstalled(folders: readonly Looked[], name: string): Promise<boolean> {
  const found = await Promise.all(
    folders.map(({ uri }) => exists(Uri.joinPath(uri, 'node_modules', name, 'package.json'))),
  );
  return found.includes(true);
}

async function exists(uri: Uri): Promise<boolean> {
  try {
    await workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}

async function manifestAt(uri: Uri): Promise<Manifest> {
  try {
    return readManifest(new TextDecoder().decode(await workspace.fs.readFile(uri)));
  } catch {
    return readManifest('');
  }
}
