import { CodeLensRefreshRequest, type CodeLens } from 'vscode-languageserver';
import type { DeclaredPool } from '../../rules/index.ts';
import type { Positions } from '../lint/positions.ts';
import { stopIfCancelled } from './diagnostics.ts';
import { poolTitles } from './pool-titles.ts';
import type { Feature, Session } from './session.ts';
import type { Snapshot } from './snapshot.ts';

/** What a pool is, above where it is made. The lenses run nothing, so that they serve any editor. */
export const poolLenses: Feature = {
  capabilities: () => ({ codeLensProvider: {} }),
  register(session) {
    const { connection, documents, client } = session;
    connection.onCodeLens(async ({ textDocument: { uri } }, token) => {
      await stopIfCancelled(token);
      const snapshot = documents.get(uri);
      return snapshot === undefined ? [] : lensesOf(snapshot, session);
    });
    session.onStale(() => {
      if (client().can.workspace?.codeLens?.refreshSupport === true)
        session.inBackground(connection.sendRequest(CodeLensRefreshRequest.type));
    });
  },
};

async function lensesOf(snapshot: Snapshot, session: Session): Promise<CodeLens[]> {
  if (!(await session.settingsOf(snapshot.uri))['codeLens.enable']) return [];
  const { linted } = await session.checks.of(snapshot);
  return (linted?.pools() ?? []).flatMap((pool) => toLenses(pool, snapshot.positions));
}

/** A command without an id is a text. A lens must not span lines. */
function toLenses(pool: DeclaredPool, positions: Positions): CodeLens[] {
  const { start } = pool.place;
  const range = positions.ofPlace({
    start,
    end: { ...start, column: start.column + 'new'.length },
  });
  return poolTitles(pool).map((title) => ({ range, command: { title, command: '' } }));
}
