import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { run, type CodeServer } from './code-server.ts';

/** What a test may have installed. */
export type ExtensionId =
  | 'poolguard.poolguard'
  | 'dbaeumer.vscode-eslint'
  | 'oxc.oxc-vscode'
  | 'poolguard-test.tool-caller'
  | 'poolguard-test.bare';

/** A row of the list that VS Code keeps of what is installed. */
interface Installed {
  readonly identifier: { readonly id: ExtensionId };
  readonly location: { readonly $mid: 1; readonly path: string; readonly scheme: 'file' };
  readonly relativeLocation: string;
}

const list = 'extensions.json';

/** Has the editor's own command install packed extensions: the folder that holds them then. */
export async function installExtensions(
  { node, entry }: CodeServer,
  parent: string,
  packed: readonly string[],
): Promise<string> {
  const folder = join(parent, 'extensions');
  await run(
    node,
    [
      entry,
      '--user-data-dir',
      join(parent, 'user'),
      '--extensions-dir',
      folder,
      ...packed.flatMap((vsix) => ['--install-extension', vsix]),
    ],
    parent,
    { ...process.env, HOME: parent },
  );
  return folder;
}

/** Copies some of the installed extensions, by their ids, into an editor's folder. */
export async function copyExtensions(ids: readonly ExtensionId[], folder: string): Promise<void> {
  const wanted = (await installedExtensions()).filter(({ identifier }) =>
    ids.includes(identifier.id),
  );
  if (wanted.length < ids.length) throw new Error(`Not all of ${ids.join(', ')} are installed.`);
  await mkdir(folder, { recursive: true });
  await Promise.all(
    wanted.map(({ relativeLocation }) =>
      cp(join(inject('extensions'), relativeLocation), join(folder, relativeLocation), {
        recursive: true,
      }),
    ),
  );
  const moved = wanted.map((each): Installed => ({
    ...each,
    location: { $mid: 1, path: join(folder, each.relativeLocation), scheme: 'file' },
  }));
  await writeFile(join(folder, list), JSON.stringify(moved));
}

/** The folder of an installed extension. */
export async function folderOfExtension(id: ExtensionId): Promise<string> {
  const found = (await installedExtensions()).find(({ identifier }) => identifier.id === id);
  if (found === undefined) throw new Error(`${id} is not installed.`);
  return join(inject('extensions'), found.relativeLocation);
}

async function installedExtensions(): Promise<Installed[]> {
  return JSON.parse(await readFile(join(inject('extensions'), list), 'utf8')) as Installed[];
}
