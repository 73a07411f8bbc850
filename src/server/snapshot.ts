import type { TextDocumentsConfiguration } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { positionsIn, type Positions } from '../lint/positions.ts';

/** One version of an open document. It never changes: who has one may wait as long as they like. */
export interface Snapshot {
  readonly uri: string;
  readonly languageId: string;
  readonly version: number;
  readonly text: string;
  readonly positions: Positions;
}

/** Makes a snapshot of each change that the editor tells. */
export const snapshots: TextDocumentsConfiguration<Snapshot> = {
  create: (uri, languageId, version, text) => ({
    uri,
    languageId,
    version,
    text,
    positions: positionsIn(text),
  }),
  update({ uri, languageId, version: before, text }, changes, version) {
    const document = TextDocument.create(uri, languageId, before, text);
    const after = TextDocument.update(document, changes, version).getText();
    return snapshots.create(uri, languageId, version, after);
  },
};
