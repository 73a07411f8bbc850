import type { Asker } from './probe-server.ts';
import type { DatabaseSession, QueryAnswer } from './session.ts';
import { otherProbesSql, takeProbeLockSql } from './sql/probe-lock.sql.ts';

export interface LockAttempt {
  readonly isTaken: boolean;
  /** `application_name` of whoever has it instead; null when it cannot be told. */
  readonly holder: string | null;
}

/** Takes the lock for the life of the session, or says who has it. Read-only sessions may. */
export function takeProbeLock(session: Asker): Promise<QueryAnswer<LockAttempt>> {
  return session.query<LockAttempt>(takeProbeLockSql);
}

export interface OtherProbe {
  /** `application_name`, which every role may see. */
  readonly name: string;
  readonly database: string;
}

/**
 * Probes at work in other databases of this server; behind a pooler, where no lock can be held, in this one as well. Those seen idle do not
 * count: a pooler's backends keep the name of the client that they were lent to until the next one comes.
 */
export function listOtherProbes(
  session: Pick<DatabaseSession, 'query' | 'isPooled'>,
): Promise<QueryAnswer<OtherProbe>> {
  return session.query<OtherProbe>({ text: otherProbesSql, values: [session.isPooled] });
}
