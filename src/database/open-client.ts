import pg from 'pg';
import { defaultLimits, toClientConfig, type SessionLimits } from './client-config.ts';
import type { Secret } from './secret.ts';
import { guardingOptions, guardSession } from './session-guard.ts';
import type { ConnectionTarget } from './target.ts';

export interface ClientSettings extends Partial<SessionLimits> {
  /** Statements are sent without waiting for the answers of those before (pg 8.23, lib/client.js). */
  readonly pipeline: boolean;
  /** For one request only: the guards are startup parameters, which cost no round trip. */
  readonly isBrief: boolean;
  /** Behind a pooler there are no guards: a session-wide setting would leak to the application. */
  readonly isPooled: boolean;
  /** How long a statement may take from the driver's point of view, its wait in the driver's own queue included. */
  readonly patienceMs: number;
}

/** A client of the driver, as an application would open it. */
export interface OpenedClient {
  readonly client: pg.Client;
  /** Ends politely, and drops the socket after a second. Never rejects. */
  close(): Promise<void>;
  /** Ends at once. */
  drop(): void;
}

const politeCloseMs = 1000;

/** Connects. Rejects with the driver's error; nothing stays open then. */
export async function openClient(
  target: ConnectionTarget,
  secret: Secret | null,
  settings: ClientSettings,
): Promise<OpenedClient> {
  const { pipeline, isBrief, isPooled, patienceMs, ...given } = settings;
  const limits = { ...defaultLimits, ...given };
  // The types of pg 8.20 do not know of pipelining yet.
  const config: pg.ClientConfig & { readonly pipeline: boolean } = {
    ...toClientConfig(target, secret, limits),
    ...(!isPooled && isBrief && { options: guardingOptions(limits) }),
    query_timeout: patienceMs,
    pipeline,
  };
  const client = new pg.Client(config);
  const drop = () => void client.connection.stream.destroy();
  // What breaks the connection fails its statements as well.
  client.on('error', () => undefined);
  try {
    await client.connect();
    if (!isPooled && !isBrief) await guardSession(client, limits);
  } catch (error) {
    drop();
    throw error;
  }
  const close = async () => {
    const timer = setTimeout(drop, politeCloseMs);
    await client.end().catch(() => undefined);
    clearTimeout(timer);
  };
  return { client, close, drop };
}
