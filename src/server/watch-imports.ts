import type { TextDocuments } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { pathOfUri } from './path-of-document.ts';

/** So long after a keystroke others are checked: nobody looks at them while typing here. */
const restMs = 300;

/** Tells the absolute paths of documents that were edited, opened or closed, once a while has passed without another such event. */
export function watchImports(documents: TextDocuments<TextDocument>, onEdited: (paths: ReadonlySet<string>) => void): void {
  let edited = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const note = ({ document: { uri } }: { readonly document: TextDocument }) => {
    const path = pathOfUri(uri);
    if (path === undefined) return;
    edited.add(path);
    clearTimeout(timer);
    timer = setTimeout(() => {
      const paths = edited;
      edited = new Set();
      onEdited(paths);
    }, restMs);
    timer.unref();
  };
  documents.onDidChangeContent(note);
  documents.onDidClose(note);
}
