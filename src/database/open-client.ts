import type pg from 'pg';
import { createClient, endClient } from './gated-client.ts';
import { defaultLimits, type SessionLimits } from './session-limits.ts';
import type { Secret } from './secret.ts';
import { guardSession } from './session-guard.ts';
import type { Startup } from './startup.ts';
import type { ConnectionTarget } from './target.ts';
import type { TransactionTally } from './transaction-tally.ts';
import { createUndoing, type Undoing } from './undoing.ts';

export interface ClientSettings extends Partial<SessionLimits> {
  /** Statements are sent without waiting for the answers of those before (pg 8.23, lib/client.js). */
  readonly pipeline: boolean;
  /** As another session of the same target began. */
  readonly startup: Startup;
  /** For one request only: the guards in the startup message are enough, which cost no round trip. */
  readonly isBrief: boolean;
  /** Behind a pooler there are no guards: a session-wide setting would leak to the application. */
  readonly isPooled: boolean;
  /** How long a statement may take from the driver's point of view, its wait in the driver's own queue included. */
  readonly patienceMs: number;
  /** Counts the transactions of workload statements. */
  readonly tally: TransactionTally;
}

/** A client of the driver, opened as an application would. */
export interface OpenedClient {
  /** Runs statements of a workload. */
  readonly undoing: Undoing;
  /** Ends politely, and drops the socket after a second. Never rejects. */
  close(): Promise<void>;
  /** Ends at once. */
  drop(): void;
}

/** Connects. Rejects with the driver's error; nothing stays open then. */
export async function openClient(
  target: ConnectionTarget,
  secret: Secret | null,
  settings: ClientSettings,
): Promise<OpenedClient> {
  const { pipeline, startup, isBrief, isPooled, patienceMs, tally, ...given } = settings;
  const limits = { ...defaultLimits, ...given };
  // The types of pg 8.20 do not know of pipelining yet.
  const config: pg.ClientConfig & { readonly pipeline: boolean } = {
    query_timeout: patienceMs,
    pipeline,
  };
  const { client } = createClient({ target, secret, limits, startup }, config);
  const drop = () => void client.connection.stream.destroy();
  // What breaks the connection fails its statements as well.
  client.on('error', () => undefined);
  try {
    await client.connect();
    if (!isPooled && (!isBrief || startup === 'bare')) await guardSession(client, limits);
  } catch (error) {
    drop();
    throw error;
  }
  const undoing = createUndoing(client, { limits, isPooled, inSlices: false, tally, patienceMs });
  return { undoing, close: () => endClient(client), drop };
}
