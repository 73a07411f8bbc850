import type { Feature } from '../session.ts';
import { ownDiagnostics } from './evidence-diagnostics.ts';
import type { Home } from './find-home.ts';

/** Pushes what was seen of files that are not open. A file that is opened gets it with its findings instead. */
export const closedFileEvidence: Feature = {
  capabilities: () => ({}),
  register(session) {
    const { connection, documents, evidence } = session;
    let shown: ReadonlyMap<string, string> = new Map();
    const push = async (): Promise<void> => {
      const byFile = groupByFile(await evidence.inClosedFiles());
      const now = new Map(
        [...byFile].map(([uri, homes]) => [uri, JSON.stringify(ownDiagnostics(homes))]),
      );
      const before = shown;
      shown = now;
      const other = [...new Set([...before.keys(), ...now.keys()])].filter(
        (uri) => before.get(uri) !== now.get(uri),
      );
      await Promise.all(
        other.map((uri) =>
          connection.sendDiagnostics({
            uri,
            diagnostics: [...ownDiagnostics(byFile.get(uri) ?? [])],
          }),
        ),
      );
    };
    // One after the other, so that the last one tells what is shown in the end.
    let latest: Promise<void> = Promise.resolve();
    const again = (): void => {
      latest = latest.catch(() => undefined).then(push);
      session.inBackground(latest);
    };
    evidence.onChange(again);
    session.onStale(again);
    documents.onDidOpen(again);
    documents.onDidClose(again);
  },
};

function groupByFile(homes: readonly Home[]): ReadonlyMap<string, readonly Home[]> {
  const files = new Map<string, readonly Home[]>();
  for (const home of homes) files.set(home.file.uri, [...(files.get(home.file.uri) ?? []), home]);
  return files;
}
