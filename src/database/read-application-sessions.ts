import type { Asker } from './probe-server.ts';
import { applicationSessionsSql, serverTimeSql } from './sql/application-sessions.sql.ts';

/** Sessions of one application at one moment. */
export interface ApplicationSessions {
  readonly sessions: number;
  /** Of them with a running statement. */
  readonly active: number;
}

/**
 * Sessions with one of these names, or with any name where none is given, in the connected database, that began after
 * `since`. Null when the server does not answer.
 */
export async function readApplicationSessions(
  session: Asker,
  names: readonly string[],
  since: string,
): Promise<ApplicationSessions | null> {
  const answer = await session.query<ApplicationSessions>({
    name: 'poolguard_application',
    text: applicationSessionsSql,
    values: [names, since],
  });
  return answer.kind === 'rows' ? (answer.rows[0] ?? null) : null;
}

/** The server's own time, as it is to be given back to it; null when it does not answer. */
export async function readServerTime(session: Asker): Promise<string | null> {
  const answer = await session.query<{ now: string }>(serverTimeSql);
  return answer.kind === 'rows' ? (answer.rows[0]?.now ?? null) : null;
}
