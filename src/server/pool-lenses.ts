import { CodeLensRefreshRequest, type CodeLens } from 'vscode-languageserver';
import { basename } from 'node:path';
import type { DeclaredPool, PoolOption } from '../../rules/index.ts';
import type { Positions } from '../lint/positions.ts';
import { classicPools } from '../../rules/model/pool-life.ts';
import { toPlainText } from '../activity/plain-text.ts';
import { stopIfCancelled } from './diagnostics.ts';
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

/** What stands above a pool, each a few words: how many clients it may have, and what is dangerous as it is. Nothing that the code does not tell. */
export function poolTitles(pool: DeclaredPool): readonly string[] {
  return [maxTitle(pool), waitTitle(pool.options.connectionTimeoutMillis)]
    .filter((title) => title !== undefined)
    .map(toPlainText);
}

function maxTitle({ driver, options: { max } }: DeclaredPool): string | undefined {
  switch (max.kind) {
    case 'default':
      return `max ${max.value} (${driver} default)`;
    case 'literal':
      return max.file === undefined
        ? `max ${max.value}`
        : `max ${max.value} (set in ${basename(max.file)})`;
    case 'fallback':
      return `max ${max.variable}, else ${max.value}`;
    case 'unknown':
      // With a driver whose default is not known nothing may have been set at all.
      return classicPools.has(driver) ? 'max set elsewhere' : undefined;
  }
}

/** A pool whose callers wait indefinitely for a client. */
function waitTitle(timeout: PoolOption): string | undefined {
  if (timeout.kind === 'default' && timeout.value === 0)
    return 'waits indefinitely: no connectionTimeoutMillis';
  return timeout.kind === 'literal' && timeout.value === 0
    ? 'waits indefinitely: connectionTimeoutMillis is 0'
    : undefined;
}
