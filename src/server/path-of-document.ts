import { dirname, isAbsolute, join, posix, relative, resolve, sep } from 'node:path';
import { URI } from 'vscode-uri';
import type { Snapshot } from './snapshot.ts';

const extensions: Readonly<Record<string, string>> = {
  javascript: '.js',
  javascriptreact: '.jsx',
  typescript: '.ts',
  typescriptreact: '.tsx',
};

/** The absolute path of a document; one that was never saved gets a name in `folder` that suits its language. */
export function pathOfDocument(
  { uri, languageId }: Pick<Snapshot, 'uri' | 'languageId'>,
  folder: string | undefined,
): string {
  return (
    pathOfUri(uri) ??
    join(
      folder ?? resolve('/'),
      `${posix.basename(URI.parse(uri).path)}${extensions[languageId] ?? '.ts'}`,
    )
  );
}

/** Under this name at the root lie the documents that are no files: no machine has a folder of that name, and on Windows none can have one. */
const elsewhere = '@elsewhere:';

/**
 * The path of a file on this machine; a made-up one, told by `isElsewhere`, for a file of a workspace that lies elsewhere (`vscode-vfs:`, `memfs:`).
 * Undefined for a document that was never saved.
 */
export function pathOfUri(text: string): string | undefined {
  const uri = parse(text);
  if (uri === undefined || uri.scheme === 'untitled') return undefined;
  if (uri.scheme === 'file') return resolve(sep === '/' ? uri.path : uri.fsPath);
  // `..` leads out of no workspace, and what is no name in a path stays encoded.
  return resolve(
    '/',
    elsewhere,
    uri.scheme,
    encodeURIComponent(uri.authority) || '@',
    `.${posix.resolve('/', uri.path)}`,
  );
}

/** The other way round: `file:` for a path on this machine, and the uri that a made-up path was made from. */
export function uriOfPath(path: string): string {
  if (!isElsewhere(path)) return URI.file(path).toString();
  const [scheme = '', authority = '', ...names] = relative(resolve('/', elsewhere), path).split(
    sep,
  );
  return URI.from({
    scheme,
    authority: authority === '@' ? '' : decodeURIComponent(authority),
    path: `/${names.join('/')}`,
  }).toString();
}

/** Whether a document is a file of this machine: one that was never saved is none, nor is one of a workspace that lies elsewhere. */
export function isOnThisMachine(uri: string): boolean {
  return parse(uri)?.scheme === 'file';
}

/** Whether a path was made up for a document of a workspace that lies elsewhere. */
export function isElsewhere(path: string): boolean {
  return path.startsWith(`${resolve('/', elsewhere)}${sep}`);
}

/** The workspace folder that holds a file, or the file's own folder. */
export function folderOf(path: string, folders: readonly string[]): string {
  return folders.find((folder) => isWithin(folder, path)) ?? dirname(path);
}

export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return !way.startsWith('..') && !isAbsolute(way);
}

function parse(text: string): URI | undefined {
  try {
    return URI.parse(text, true);
  } catch {
    return undefined;
  }
}
