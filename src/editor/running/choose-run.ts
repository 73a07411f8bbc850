import { QuickPickItemKind, Uri, window, workspace, type QuickPickItem } from 'vscode';
import { plainLabel } from '../connections/plain-labels.ts';
import { lockFiles, packageManagerOf } from '../eslint-setup/package-manager.ts';
import { npmScripts, readManifest } from './npm-scripts.ts';

/** What a terminal is opened for. */
export interface ChosenRun {
  /** Undefined for the editor's own choice. */
  readonly folder: Uri | undefined;
  /** Null for a terminal in which the user types. */
  readonly command: string | null;
}

interface RunItem extends QuickPickItem {
  readonly run?: ChosenRun;
}

const mostPackages = 20;

/** Asks which script is to run under watch, or none; undefined when the user thought better of it. */
export async function chooseRun(): Promise<ChosenRun | undefined> {
  const packages = await findPackages();
  const scripts = (await Promise.all(packages.map(itemsOf))).flat();
  const empty: RunItem = {
    label: '$(terminal) An empty terminal',
    description: 'start the application yourself',
    run: { folder: packages[0] && Uri.joinPath(packages[0], '..'), command: null },
  };
  const chosen = await window.showQuickPick<RunItem>(
    [
      ...scripts,
      ...(scripts.length > 0 ? [{ label: '', kind: QuickPickItemKind.Separator }] : []),
      empty,
    ],
    {
      title: 'Run with pool watch',
      placeHolder: 'Command to run in a terminal that watches connection pools',
      matchOnDetail: true,
    },
  );
  return chosen?.run;
}

/** Those nearest to the folders' roots first. */
async function findPackages(): Promise<readonly Uri[]> {
  const found = await workspace.findFiles(
    '**/package.json',
    '**/{node_modules,bower_components,dist,fixtures}/**',
    200,
  );
  const depth = ({ path }: Uri): number => path.split('/').length;
  return found
    .filter(({ scheme }) => scheme === 'file')
    .sort((a, b) => depth(a) - depth(b) || a.path.localeCompare(b.path))
    .slice(0, mostPackages);
}

async function itemsOf(
  manifest: Uri,
  _index: number,
  all: readonly Uri[],
): Promise<readonly RunItem[]> {
  const text = await read(manifest);
  const folder = Uri.joinPath(manifest, '..');
  const scripts = npmScripts(text);
  if (scripts.length === 0) return [];
  const manager = packageManagerOf(readManifest(text).packageManager, await lockFilesNear(folder));
  const items = scripts.map(({ name, text: runs }) => ({
    label: plainLabel(`${manager} run ${name}`),
    detail: plainLabel(runs),
    run: { folder, command: `${manager} run ${name}` },
  }));
  return all.length === 1
    ? items
    : [
        { label: plainLabel(workspace.asRelativePath(folder)), kind: QuickPickItemKind.Separator },
        ...items,
      ];
}

async function read(file: Uri): Promise<string> {
  try {
    return new TextDecoder().decode(await workspace.fs.readFile(file));
  } catch {
    return '';
  }
}

/** A package of a monorepo is run by the manager of its root. */
async function lockFilesNear(folder: Uri): Promise<ReadonlySet<string>> {
  const root = workspace.getWorkspaceFolder(folder)?.uri ?? folder;
  const places = [folder, root].flatMap((place) =>
    Object.keys(lockFiles).map((name) => [place, name] as const),
  );
  const found = await Promise.all(
    places.map(async ([place, name]) => ((await exists(Uri.joinPath(place, name))) ? [name] : [])),
  );
  return new Set(found.flat());
}

function exists(file: Uri): Promise<boolean> {
  return Promise.resolve(workspace.fs.stat(file)).then(
    () => true,
    () => false,
  );
}
