import type { TextDocuments } from 'vscode-languageserver';
import { pathOfUri } from './path-of-document.ts';
import type { Snapshot } from './snapshot.ts';

/** So long after a keystroke the editor is told about others: nobody looks at them while typing here. */
const restMs = 300;

/**
 * Calls `forgetReadersOf` with the absolute path of each document that is edited, opened or closed, and `onStale` when there were any and a
 * while has passed without another such event.
 */
export function watchImports(
  documents: TextDocuments<Snapshot>,
  forgetReadersOf: (path: string) => Promise<boolean>,
  onStale: () => void,
): void {
  let isStale = false;
  let timer: NodeJS.Timeout | undefined;
  const note = ({ document: { uri } }: { readonly document: Snapshot }) => {
    const path = pathOfUri(uri);
    if (path === undefined) return;
    void forgetReadersOf(path).then((isAny) => (isStale ||= isAny));
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (isStale) onStale();
      isStale = false;
    }, restMs);
  };
  documents.onDidChangeContent(note);
  documents.onDidClose(note);
}
