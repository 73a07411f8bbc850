import { CodeLensRefreshRequest, type CodeLens } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { DeclaredPool } from '../../rules/index.ts';
import { stopIfCancelled } from './diagnostics.ts';
import { poolTitles } from './pool-titles.ts';
import type { Feature, Session } from './session.ts';

/** What a pool is, above where it is made. The lenses run nothing, so that they serve any editor. */
export const poolLenses: Feature = {
  capabilities: () => ({ codeLensProvider: {} }),
  register(session) {
    const { connection, documents, client } = session;
    connection.onCodeLens(async ({ textDocument: { uri } }, token) => {
      await stopIfCancelled(token);
      const document = documents.get(uri);
      return document === undefined ? [] : lensesOf(document, session);
    });
    session.onStale(() => {
      if (client().can.workspace?.codeLens?.refreshSupport === true)
        session.inBackground(connection.sendRequest(CodeLensRefreshRequest.type));
    });
  },
};

async function lensesOf(document: TextDocument, session: Session): Promise<CodeLens[]> {
  if (!(await session.settingsOf(document.uri))['codeLens.enable']) return [];
  const { linted } = await session.checks.of(document);
  return (linted?.pools() ?? []).flatMap(toLenses);
}

/** A command without an id is a text. A lens must not span lines. */
function toLenses(pool: DeclaredPool): CodeLens[] {
  const { line, column } = pool.place.start;
  const range = {
    start: { line: line - 1, character: column },
    end: { line: line - 1, character: column + 'new'.length },
  };
  return poolTitles(pool).map((title) => ({ range, command: { title, command: '' } }));
}
