import * as v from 'valibot';
import { type OutputOf, whole } from '../schema/fields.ts';
import type { Asker } from './session.ts';
import { applicationSessionsSql, serverTimeSql } from './sql/application-sessions.sql.ts';

/** Sessions of one application at one moment. */
const ApplicationSessions = v.object({
  sessions: whole(0, Number.MAX_SAFE_INTEGER),
  /** Of them with a running statement. */
  active: whole(0, Number.MAX_SAFE_INTEGER),
});
export type ApplicationSessions = OutputOf<typeof ApplicationSessions>;

/**
 * Sessions with one of these names, or with any name where none is given, in the connected database, that began after
 * `since`. Null when the server does not answer.
 */
export async function readApplicationSessions(
  session: Asker,
  names: readonly string[],
  since: string,
): Promise<ApplicationSessions | null> {
  const statement = {
    name: 'poolguard_application',
    text: applicationSessionsSql,
    values: [names, since],
  };
  const answer = await session.query(statement, ApplicationSessions);
  return answer.kind === 'rows' ? (answer.rows[0] ?? null) : null;
}

/** The server's own time, as it is to be given back to it; null when it does not answer. */
export async function readServerTime(session: Asker): Promise<string | null> {
  const answer = await session.query(serverTimeSql, v.object({ now: v.string() }));
  return answer.kind === 'rows' ? (answer.rows[0]?.now ?? null) : null;
}
