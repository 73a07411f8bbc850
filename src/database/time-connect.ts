import type pg from 'pg';
import { createClient, endClient } from './gated-client.ts';
import { defaultLimits, type SessionLimits } from './session-limits.ts';
import type { DatabaseFailure } from './failure-row.ts';
import type { Secret } from './secret.ts';
import { nothingSql } from './sql/server.sql.ts';
import { logIn, type Startup } from './startup.ts';
import type { ConnectionTarget } from './target.ts';
import type { Wire } from './wire.ts';

/** The parts of a new connection, in the order in which they happen, in milliseconds. */
export interface ConnectTimes {
  /** Null where the host is an address or a socket. */
  readonly dns: number | null;
  readonly tcp: number;
  /** Null where it is off. */
  readonly tls: number | null;
  /** From the startup message until the server is ready for a statement. */
  readonly authentication: number;
  /** `SELECT 1`; behind a pooler the first that needs a backend. */
  readonly firstQuery: number;
  readonly total: number;
}

export type TimedConnect =
  | {
      readonly kind: 'timed';
      readonly times: ConnectTimes;
      /** Which the next one begins with. */ readonly startup: Startup;
    }
  | { readonly kind: 'failed'; readonly failure: DatabaseFailure };

export interface TimeConnectOptions extends Pick<SessionLimits, 'applicationName' | 'onBreach'> {
  readonly now: () => number;
  /** What another connection to the same target began with. */
  readonly startup?: Startup;
  /** Drops the connection at once. */
  readonly signal: AbortSignal;
}

/**
 * Opens one connection, asks `SELECT 1` and closes it, with the moment of each step. Every failure is an answer; nothing stays open.
 * Startup messages that were refused are not in the times.
 */
export function timeConnect(
  target: ConnectionTarget,
  secret: Secret | null,
  { now, startup: first, signal, ...given }: TimeConnectOptions,
): Promise<TimedConnect> {
  return logIn(
    { target, secret, startup: first, signal },
    async (startup, socket) => {
      const limits = { ...defaultLimits, ...given };
      const stream = () => socket;
      const { client } = createClient({ target, secret, limits, startup }, { stream });
      // What ends the connection makes its statement fail as well.
      client.on('error', () => undefined);
      return { client, startup, times: await timeSteps(client, socket, now) };
    },
    async ({ client, ...timed }) => {
      await endClient(client);
      return { kind: 'timed', ...timed } as const;
    },
  );
}

async function timeSteps(
  client: pg.Client,
  socket: Wire['socket'],
  now: () => number,
): Promise<ConnectTimes> {
  const began = now();
  const at: { dns?: number; tcp?: number; tls?: number } = {};
  // Without a look-up no such event comes (Node's net, lookupAndConnect).
  socket.once('lookup', () => (at.dns = now()));
  socket.once('connect', () => (at.tcp = now()));
  // When the server agreed to TLS its stream takes the socket's place (pg lib/connection.js, upgradeToSSL).
  client.connection.once('sslconnect', () =>
    client.connection.stream.once('secureConnect', () => (at.tls = now())),
  );
  await client.connect();
  const ready = now();
  await client.query(nothingSql);
  const done = now();
  const tcp = at.tcp ?? began;
  return {
    dns: at.dns === undefined ? null : at.dns - began,
    tcp: tcp - (at.dns ?? began),
    tls: at.tls === undefined ? null : at.tls - tcp,
    authentication: ready - (at.tls ?? tcp),
    firstQuery: done - ready,
    total: done - began,
  };
}
