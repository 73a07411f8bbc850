import type { TextDocuments } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { forget, readThrough } from '../../rules/project/modules-of-parser.ts';
import { createTolerantParser, type TolerantParser } from '../lint/tolerant-parser.ts';
import { pathOfUri } from './path-of-document.ts';

/** The documents of an editor in front of the disk: who lints with their parser finds what is typed, saved or not, in every file. */
export interface OpenDocuments {
  readonly parser: TolerantParser;
  /** Does work at once, and tells at which paths it looked for files, whether something is there or not. */
  noting<Result>(work: () => Result): {
    readonly result: Result;
    readonly paths: ReadonlySet<string>;
  };
  /** What is open, by absolute path. */
  texts(): ReadonlyMap<string, string>;
  /** Drops what is kept of other files. */
  forget(): void;
}

export function createOpenDocuments(documents: TextDocuments<TextDocument>): OpenDocuments {
  const parser = createTolerantParser();
  const uris = new Map<string, string>();
  let noted = new Set<string>();
  const documentAt = (path: string): TextDocument | undefined => {
    const uri = uris.get(path);
    return uri === undefined ? undefined : documents.get(uri);
  };
  documents.onDidOpen(({ document: { uri } }) => {
    const path = pathOfUri(uri);
    if (path !== undefined) uris.set(path, uri);
  });
  documents.onDidClose(({ document: { uri } }) => void uris.delete(pathOfUri(uri) ?? uri));
  readThrough(parser, {
    textOf(path) {
      noted.add(path);
      const document = documentAt(path);
      return document === undefined
        ? undefined
        : { text: document.getText(), version: document.version };
    },
    paths: () => uris.keys(),
  });
  return {
    parser,
    noting(work) {
      noted = new Set();
      return { result: work(), paths: noted };
    },
    texts: () => new Map([...uris.keys()].map((path) => [path, documentAt(path)?.getText() ?? ''])),
    forget: () => {
      forget(parser);
    },
  };
}
