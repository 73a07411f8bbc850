import type { Session } from './pool-kind.ts';

/** A client of `pg` from inside. */
export interface PgClient {
  readonly processID?: number | null;
  readonly connection?: { readonly stream?: { readonly localPort?: number } | null };
  /** Since pg 8.21. */
  getTransactionStatus?(): string | null;
  readonly readyForQuery?: boolean;
  readonly _activeQuery?: unknown;
  readonly _queryQueue?: readonly unknown[];
}

export function sessionOf(client: PgClient): Session {
  return {
    backendPid: client.processID ?? null,
    clientPort: client.connection?.stream?.localPort ?? null,
  };
}

/** Only when nothing is under way on the client, such as a ROLLBACK that nobody waits for. */
export function hasOpenTransaction(client: PgClient): boolean {
  const status = client.getTransactionStatus?.();
  if (status !== 'T' && status !== 'E') return false;
  return (
    client.readyForQuery === true &&
    client._activeQuery === null &&
    client._queryQueue?.length === 0
  );
}
