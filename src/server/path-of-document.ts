import { dirname, isAbsolute, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TextDocument } from 'vscode-languageserver-textdocument';

const extensions: Readonly<Record<string, string>> = { javascript: '.js', javascriptreact: '.jsx', typescript: '.ts', typescriptreact: '.tsx' };

/** The absolute path of a document; one that was never saved gets a name in `folder` that suits its language. */
export function pathOfDocument({ uri, languageId }: TextDocument, folder: string): string {
  return pathOfUri(uri) ?? join(folder, `untitled${extensions[languageId] ?? '.ts'}`);
}

/** Undefined for what is no file on this machine. */
export function pathOfUri(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

/** The workspace folder that holds a file, or the file's own folder. */
export function folderOf(path: string, folders: readonly string[]): string {
  return folders.find((folder) => isWithin(folder, path)) ?? dirname(path);
}

export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return !way.startsWith('..') && !isAbsolute(way);
}
