import type { SessionLimits } from '../../database/session-limits.ts';
import { connectSessions } from '../../database/connect.ts';
import { type Asker, cancelOwnStatements } from '../../database/probe-server.ts';
import type { DatabaseSession } from '../../database/session.ts';
import type { Startup } from '../../database/startup.ts';
import type { TransactionTally } from '../../database/transaction-tally.ts';
import type { Refusal } from '../refusal.ts';
import type { Access } from '../request.ts';

/** The sessions of a probe, all open from start to end. */
export interface LoadConnections {
  readonly sessions: readonly DatabaseSession[];
  readonly pids: readonly number[];
  /** Ends statements that still run, then closes every session. Never rejects. */
  close(): Promise<void>;
}

export type ConnectionsAnswer =
  { readonly kind: 'connections'; readonly connections: LoadConnections } | Refusal;

export interface ConnectionsOptions {
  readonly request: Access;
  readonly size: number;
  readonly limits: Partial<SessionLimits>;
  /** The observer's. */
  readonly startup: Startup;
  /** Counts the transactions of the statements. */
  readonly tally: TransactionTally;
  /** Cancels running statements when the connections close. */
  readonly observer: Asker;
  readonly signal: AbortSignal;
  /** A session ended by itself. */
  readonly onLost: (sentence: string) => void;
}

/** Opens all sessions, or none. */
export async function openLoadConnections({
  request,
  size,
  limits,
  startup,
  tally,
  observer,
  signal,
  onLost,
}: ConnectionsOptions): Promise<ConnectionsAnswer> {
  const { target, secret } = request;
  const answer = await connectSessions(size, target, secret, { ...limits, startup, tally, signal });
  if (answer.kind === 'failed') return { kind: 'refused', sentence: answer.failure.sentence };
  const { sessions } = answer;
  for (const session of sessions) session.onLost(({ sentence }) => onLost(sentence));
  const pids = sessions.map(({ pid }) => pid).filter((pid) => pid !== null);
  const close = async () => {
    // Behind a pooler the observer may stand in line behind the very statements that are to end.
    if (sessions.some(({ isPooled }) => isPooled))
      await Promise.all(sessions.map((session) => session.cancel()));
    else await cancelOwnStatements(observer);
    await Promise.all(sessions.map((session) => session.close()));
  };
  return { kind: 'connections', connections: { sessions, pids, close } };
}
