import type pg from 'pg';
import { defaultLimits, type SessionLimits } from './session-limits.ts';
import type { DatabaseFailure } from './failure-row.ts';
import { createClient } from './gated-client.ts';
import type { Secret } from './secret.ts';
import { guardSession, isPooled } from './session-guard.ts';
import { openSession, type DatabaseSession } from './session.ts';
import { logIn, type Startup } from './startup.ts';
import type { ConnectionTarget } from './target.ts';
import type { TransactionTally } from './transaction-tally.ts';

export interface ConnectOptions extends Partial<SessionLimits> {
  /** Counts the transactions of workload statements. */
  readonly tally?: TransactionTally;
  /** Ends the attempt, and later the session. */
  readonly signal?: AbortSignal;
  /** What another session of the same target began with: trying again what was refused would fill the server's log. */
  readonly startup?: Startup;
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
  return connectPrepared(target, secret, options, async (client, limits, isConsole) => {
    if (isConsole) throw new Error('The console of a pooler answered');
    const pooled = await isPooled(client);
    if (!pooled) await guardSession(client, limits);
    return pooled;
  });
}

/** The same with something else done first: `prepare` says whether each statement then runs in a transaction with the limits. */
export function connectPrepared(
  target: ConnectionTarget,
  secret: Secret | null,
  { signal, startup: first, tally, ...given }: ConnectOptions,
  prepare: (client: pg.Client, limits: SessionLimits, isConsole: boolean) => Promise<boolean>,
): Promise<ConnectAnswer> {
  const limits = { ...defaultLimits, ...given };
  return logIn(
    { target, secret, startup: first, signal },
    async (startup, socket) => {
      const access = { target, secret, limits, startup };
      const { client, gate } = createClient(access, { stream: () => socket });
      const opened = openSession(client, { ...access, gate, ...(tally && { tally }) });
      await client.connect();
      // The version of PgBouncer's console ends so (admin.c, admin_setup).
      const isConsole = gate.parameter('server_version')?.endsWith('/bouncer') ?? false;
      return { client, isConsole, ...opened };
    },
    async ({ client, isConsole, session, start }) => {
      start(await prepare(client, limits, isConsole), signal);
      return { kind: 'connected', session } as const;
    },
  );
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
    const answer = await connectSession(target, secret, {
      ...options,
      ...(sessions[0] && { startup: sessions[0].startup }),
    });
    if (answer.kind === 'failed') {
      await Promise.all(sessions.map((session) => session.close()));
      return answer;
    }
    sessions.push(answer.session);
  }
  return { kind: 'connected', sessions };
}
