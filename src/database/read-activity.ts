import { type ActivityRow, toActivityReport } from '../activity/report.ts';
import type { ActivityAnswer, ActivitySource } from '../activity/poller.ts';
import { connectSession, type ConnectOptions } from './connect.ts';
import type { Secret } from './secret.ts';
import type { DatabaseSession } from './session.ts';
import { activitySql } from './sql/activity.sql.ts';
import type { ConnectionTarget } from './target.ts';

/** One look at the server's sessions. */
export async function readActivity(session: DatabaseSession): Promise<ActivityAnswer> {
  const answer = await session.query<ActivityRow>(activitySql);
  if (answer.kind === 'failed') return answer;
  const report = toActivityReport(answer.rows, session.target);
  return report === null
    ? { kind: 'failed', failure: { kind: 'statement', sentence: 'The server listed no session at all, not even this one.', code: null } }
    : { kind: 'report', report };
}

export interface ActivitySourceOptions extends Omit<ConnectOptions, 'signal'> {
  /** Told of each connection that the poller opens, which stays the poller's. */
  readonly onOpen?: (session: DatabaseSession) => void;
}

/** What the poller reads from: one connection to the target at a time. */
export function createActivitySource(target: ConnectionTarget, secret: Secret | null, { onOpen, ...options }: ActivitySourceOptions = {}): ActivitySource {
  return {
    async open(signal) {
      const answer = await connectSession(target, secret, { ...options, signal });
      if (answer.kind === 'failed') return answer;
      const { session } = answer;
      onOpen?.(session);
      return { kind: 'opened', reader: { read: () => readActivity(session), onLost: session.onLost, close: session.close } };
    },
  };
}
