import pg from 'pg';
import { defaultLimits, toClientConfig, type SessionLimits } from './client-config.ts';
import {
  cancelledFailure,
  toDatabaseFailure,
  type DatabaseFailure,
  type FailureContext,
} from './failure.ts';
import type { Secret } from './secret.ts';
import { guardSession, isPooled } from './session-guard.ts';
import { openSession, type DatabaseSession } from './session.ts';
import type { ConnectionTarget } from './target.ts';
import { createWire, keepPasswordFromOnlookers } from './wire.ts';

export interface ConnectOptions extends Partial<SessionLimits> {
  /** Ends the attempt, and later the session. */
  readonly signal?: AbortSignal;
}

export type ConnectAnswer =
  | { readonly kind: 'connected'; readonly session: DatabaseSession }
  | { readonly kind: 'failed'; readonly failure: DatabaseFailure };

export type ConnectAllAnswer =
  | { readonly kind: 'connected'; readonly sessions: readonly DatabaseSession[] }
  | { readonly kind: 'failed'; readonly failure: DatabaseFailure };

/**
 * Opens one connection, read-only and with time limits. Every failure is an answer; nothing stays open after one.
 * Directly connected, the limits hold for the session; behind a pooler each statement runs in a transaction with them.
 */
export function connectSession(
  target: ConnectionTarget,
  secret: Secret | null,
  options: ConnectOptions = {},
): Promise<ConnectAnswer> {
  return connectPrepared(target, secret, options, async (client, limits) => {
    const pooled = await isPooled(client);
    if (!pooled) await guardSession(client, limits);
    return pooled;
  });
}

/** The same with something else done first: `prepare` says whether each statement then runs in a transaction with the limits. */
export async function connectPrepared(
  target: ConnectionTarget,
  secret: Secret | null,
  options: ConnectOptions,
  prepare: (client: pg.Client, limits: SessionLimits) => Promise<boolean>,
): Promise<ConnectAnswer> {
  const { signal, ...given } = options;
  if (signal?.aborted) return { kind: 'failed', failure: cancelledFailure() };
  const limits = { ...defaultLimits, ...given };
  const wire = createWire(target);
  const context = (): FailureContext => ({ target, secret, during: 'connect', wire: wire.state() });
  const abandon = () => wire.socket.destroy(new DOMException('Cancelled', 'AbortError'));
  signal?.addEventListener('abort', abandon, { once: true });
  try {
    const client = new pg.Client({
      ...toClientConfig(target, secret, limits),
      stream: () => wire.socket,
    });
    const { session, start } = openSession(client, { target, secret, limits });
    keepPasswordFromOnlookers(client, target);
    await client.connect();
    start(await prepare(client, limits), signal);
    return { kind: 'connected', session };
  } catch (error) {
    wire.socket.destroy();
    return {
      kind: 'failed',
      failure: signal?.aborted ? cancelledFailure() : toDatabaseFailure(error, context()),
    };
  } finally {
    signal?.removeEventListener('abort', abandon);
  }
}

/** Opens `count` connections one after the other, or none: when one fails, those before it are closed. */
export async function connectSessions(
  count: number,
  target: ConnectionTarget,
  secret: Secret | null,
  options: ConnectOptions = {},
): Promise<ConnectAllAnswer> {
  const sessions: DatabaseSession[] = [];
  while (sessions.length < count) {
    const answer = await connectSession(target, secret, options);
    if (answer.kind === 'failed') {
      await Promise.all(sessions.map((session) => session.close()));
      return answer;
    }
    sessions.push(answer.session);
  }
  return { kind: 'connected', sessions };
}
