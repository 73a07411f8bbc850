import type { TextDocuments } from 'vscode-languageserver';
import { createProgram, type Program } from '../lint/program.ts';
import { pathOfUri } from './path-of-document.ts';
import type { Snapshot } from './snapshot.ts';

/** The documents of an editor in front of the disk: who lints in their program finds what is typed, saved or not, in every file. */
export interface OpenDocuments {
  readonly program: Program;
  /** Does work at once, and tells at which paths it looked for files, whether something is there or not. */
  noting<Result>(work: () => Result): {
    readonly result: Result;
    readonly paths: ReadonlySet<string>;
  };
  /** What is open under an absolute path; undefined for what is not. */
  textAt(path: string): string | undefined;
  /** All that is open, by absolute path. */
  texts(): ReadonlyMap<string, string>;
  /** Drops what is kept of other files. */
  forget(): void;
}

export function createOpenDocuments(documents: TextDocuments<Snapshot>): OpenDocuments {
  const uris = new Map<string, string>();
  let noted = new Set<string>();
  const openAt = (path: string): Snapshot | undefined => {
    const uri = uris.get(path);
    return uri === undefined ? undefined : documents.get(uri);
  };
  documents.onDidOpen(({ document: { uri } }) => {
    const path = pathOfUri(uri);
    if (path !== undefined) uris.set(path, uri);
  });
  documents.onDidClose(({ document: { uri } }) => void uris.delete(pathOfUri(uri) ?? uri));
  const program = createProgram({
    textOf(path) {
      noted.add(path);
      return openAt(path);
    },
    paths: () => uris.keys(),
  });
  return {
    program,
    noting(work) {
      noted = new Set();
      return { result: work(), paths: noted };
    },
    textAt: (path) => openAt(path)?.text,
    texts: () => new Map([...uris.keys()].map((path) => [path, openAt(path)?.text ?? ''])),
    forget: () => program.forget(),
  };
}
