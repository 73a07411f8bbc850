import type { Asker } from './probe-server.ts';

/** Sessions of one application at one moment. */
export interface ApplicationSessions {
  readonly sessions: number;
  /** Of them with a running statement. */
  readonly active: number;
}

/** Sessions with one of these names, or with any name where none is given, in the connected database, that began after `since`. */
const sessionsSql = `
  SELECT count(*)::int AS "sessions", count(*) FILTER (WHERE state = 'active')::int AS "active"
    FROM pg_catalog.pg_stat_activity
   WHERE datname = pg_catalog.current_database() AND pid <> pg_catalog.pg_backend_pid() AND coalesce(backend_type, 'client backend') = 'client backend'
     AND backend_start >= $2::timestamptz AND application_name NOT LIKE 'poolguard%'
     AND (pg_catalog.cardinality($1::text[]) = 0 OR application_name = ANY ($1::text[]))`;

/** Null when the server does not answer. */
export async function readApplicationSessions(
  session: Asker,
  names: readonly string[],
  since: string,
): Promise<ApplicationSessions | null> {
  const answer = await session.query<ApplicationSessions>({
    name: 'poolguard_application',
    text: sessionsSql,
    values: [names, since],
  });
  return answer.kind === 'rows' ? (answer.rows[0] ?? null) : null;
}

/** The server's own time, as it is to be given back to it; null when it does not answer. */
export async function readServerTime(session: Asker): Promise<string | null> {
  const answer = await session.query<{ now: string }>('SELECT pg_catalog.now()::text AS "now"');
  return answer.kind === 'rows' ? (answer.rows[0]?.now ?? null) : null;
}
