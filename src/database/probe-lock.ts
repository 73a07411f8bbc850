import type { Asker } from './probe-server.ts';
import type { DatabaseSession, QueryAnswer } from './session.ts';

/** The letters "pool" and "guar" as two integers: the advisory lock that one probe at a time holds in a database. */
const lockKeys = '1886351212, 1735746930';

export interface LockAttempt {
  readonly isTaken: boolean;
  /** `application_name` of whoever has it instead; null when it cannot be told. */
  readonly holder: string | null;
}

/** Takes the lock for the life of the session, or says who has it. Read-only sessions may. */
export function takeProbeLock(session: Asker): Promise<QueryAnswer<LockAttempt>> {
  return session.query<LockAttempt>(`
    SELECT pg_catalog.pg_try_advisory_lock(${lockKeys}) AS "isTaken",
           (SELECT activity.application_name FROM pg_catalog.pg_locks AS held JOIN pg_catalog.pg_stat_activity AS activity USING (pid)
             WHERE held.locktype = 'advisory' AND held.granted AND (held.classid::int, held.objid::int) = (${lockKeys})
               AND held.database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database())
               AND held.pid <> pg_catalog.pg_backend_pid() LIMIT 1) AS "holder"`);
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
  return session.query<OtherProbe>({
    text: `
      SELECT DISTINCT application_name AS "name", datname AS "database" FROM pg_catalog.pg_stat_activity
       WHERE application_name LIKE 'poolguard-probe/%' AND state IS DISTINCT FROM 'idle'
         AND pg_catalog.split_part(application_name, ' ', 1) <> pg_catalog.split_part(pg_catalog.current_setting('application_name'), ' ', 1)
         AND (datname <> pg_catalog.current_database() OR $1)`,
    values: [session.isPooled],
  });
}
