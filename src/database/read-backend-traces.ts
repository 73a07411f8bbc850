import * as v from 'valibot';
import { number, text, type OutputOf } from '../schema/fields.ts';
import { connectSessions, type ConnectOptions } from './connect.ts';
import type { Secret } from './secret.ts';
import { backendTracesSql } from './sql/backend-traces.sql.ts';
import type { ConnectionTarget } from './target.ts';

/** What one backend keeps beyond a transaction. */
const BackendTraces = v.object({
  pid: number,
  /** In seconds since 1970, by the server's clock; a process id is used again. */
  startedAt: number,
  seenAt: number,
  /** Names given by PREPARE. */
  prepared: v.array(text),
  /** Keys of advisory locks, `1/2`. */
  locks: v.array(text),
  /** What was SET, `name=value`. */
  settings: v.array(text),
});
export type BackendTraces = OutputOf<typeof BackendTraces>;

/**
 * Looks at as many of a pooler's backends as that many clients meet at once. Empty where they cannot be asked, which ends
 * no probe. Leaves no connection open.
 */
export async function readBackendTraces(
  target: ConnectionTarget,
  secret: Secret | null,
  clients: number,
  options: ConnectOptions,
): Promise<readonly BackendTraces[]> {
  const answer = await connectSessions(clients, target, secret, options);
  if (answer.kind === 'failed') return [];
  const { sessions } = answer;
  const rows = await Promise.all(
    sessions.map((session) => session.query(backendTracesSql, BackendTraces)),
  );
  await Promise.all(sessions.map((session) => session.close()));
  return rows.flatMap((each) => (each.kind === 'rows' ? each.rows : []));
}
