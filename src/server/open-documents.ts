import type { TextDocuments } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { FileSource } from '../../rules/analysis/files/file-source.ts';
import { pathOfUri } from './path-of-document.ts';

/** The documents that an editor has open, as files that the analysis can read; one without a path of its own is nobody's import. */
export function createOpenDocuments(documents: Pick<TextDocuments<TextDocument>, 'get' | 'onDidOpen' | 'onDidClose'>): FileSource {
  const uris = new Map<string, string>();
  documents.onDidOpen(({ document: { uri } }) => {
    const path = pathOfUri(uri);
    if (path !== undefined) uris.set(path, uri);
  });
  documents.onDidClose(({ document: { uri } }) => uris.delete(pathOfUri(uri) ?? ''));
  return {
    textOf(path) {
      const uri = uris.get(path);
      const document = uri === undefined ? undefined : documents.get(uri);
      return document === undefined ? undefined : { text: document.getText(), version: document.version };
    },
    paths: () => uris.keys(),
  };
}
