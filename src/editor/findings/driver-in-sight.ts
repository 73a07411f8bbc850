import {
  Uri,
  languages as editorLanguages,
  workspace,
  type Disposable,
  type TextDocument,
} from 'vscode';
import { namesDriver } from '../../lint/may-use-pool.ts';
import { documentSelector } from './language-client.ts';

const manifests = '**/package.json';
const notOurs = '**/node_modules/**';
/** Of a workspace with more packages than this, one is taken to have a driver. */
const maximalManifests = 500;
const decoder = new TextDecoder();

/**
 * Calls back once, when a document of our languages is open and either it or a package.json around it or in the workspace names a pool
 * driver. Until then nothing runs but this look, so a project without a driver has no server.
 */
export function whenDriverInSight(onSight: () => void): Disposable {
  const selector = documentSelector();
  const watching: Disposable[] = [];
  const stop = () => {
    for (const each of watching.splice(0)) each.dispose();
  };
  let packages: Promise<boolean> | undefined;
  const look = async (document: TextDocument): Promise<void> => {
    if (editorLanguages.match(selector, document) === 0) return;
    const isInSight =
      namesDriver(document.getText()) ||
      (await manifestsAboveNameDriver(document.uri)) ||
      (await (packages ??= anyManifestNamesDriver()));
    if (!isInSight || watching.length === 0) return;
    stop();
    onSight();
  };
  const lookAtAll = () => {
    for (const document of workspace.textDocuments) void look(document);
  };
  const lookAnew = () => {
    packages = undefined;
    lookAtAll();
  };
  const watcher = workspace.createFileSystemWatcher(manifests);
  watching.push(
    watcher,
    watcher.onDidChange(lookAnew),
    watcher.onDidCreate(lookAnew),
    workspace.onDidChangeWorkspaceFolders(lookAnew),
    workspace.onDidOpenTextDocument((document) => void look(document)),
    workspace.onDidChangeTextDocument(({ document }) => void look(document)),
  );
  lookAtAll();
  return { dispose: stop };
}

/** True when it cannot be told: not every virtual workspace can be searched. */
async function anyManifestNamesDriver(): Promise<boolean> {
  const found = await workspace.findFiles(manifests, notOurs, maximalManifests).then(
    (uris) => uris,
    () => undefined,
  );
  if (found === undefined) return true;
  if (found.length === maximalManifests) return true;
  return (await Promise.all(found.map(fileNamesDriver))).includes(true);
}

/** For a document outside of the workspace's folders, or in a folder below its repository. */
async function manifestsAboveNameDriver(uri: Uri): Promise<boolean> {
  if (uri.scheme === 'untitled') return false;
  const [up, manifest] = [Uri.joinPath(uri, '..'), Uri.joinPath(uri, '..', 'package.json')];
  if (await fileNamesDriver(manifest)) return true;
  return up.path !== uri.path && up.path !== '/' && manifestsAboveNameDriver(up);
}

async function fileNamesDriver(uri: Uri): Promise<boolean> {
  try {
    return namesDriver(decoder.decode(await workspace.fs.readFile(uri)));
  } catch {
    return false;
  }
}
