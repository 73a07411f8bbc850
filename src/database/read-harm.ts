import {
  clientsSql,
  isOwnBackend,
  type Asker,
  roomColumns,
  type ServerRoomFacts,
} from './probe-server.ts';
import type { QueryAnswer } from './session.ts';

/** One look at what a probe does to others. */
export interface HarmReading extends ServerRoomFacts {
  /** Connections of this probe, by `application_name`, without the one that looks. */
  readonly own: number;
  /** Active sessions of others, as far as the role may see them. */
  readonly activeOthers: number;
  /** Sessions of others that wait for a lock which this probe holds. */
  readonly blockedOthers: number;
}

/** Who waits is read from `pg_locks`, which hides nothing from an ordinary role; `pg_stat_activity` shows a role only its own waits. */
const harmSql = `
  WITH ${clientsSql}, own AS (
    SELECT array_agg(pid) AS pids FROM client WHERE ${isOwnBackend}
  )
  SELECT ${roomColumns},
         coalesce(pg_catalog.cardinality(own.pids), 0) AS "own",
         (SELECT count(*)::int FROM client WHERE state = 'active' AND application_name NOT LIKE 'poolguard%') AS "activeOthers",
         CASE WHEN own.pids IS NULL THEN 0 ELSE (
           SELECT count(DISTINCT waiting.pid)::int FROM pg_catalog.pg_locks AS waiting
            WHERE NOT waiting.granted AND waiting.pid <> ALL (own.pids) AND pg_catalog.pg_blocking_pids(waiting.pid) && own.pids
         ) END AS "blockedOthers"
    FROM role CROSS JOIN base CROSS JOIN own`;

export function readHarm(session: Asker): Promise<QueryAnswer<HarmReading>> {
  return session.query<HarmReading>({ name: 'poolguard_harm', text: harmSql });
}
