import type { ConnectionLimitRow } from '../activity/headroom.ts';
import type { DatabaseSession, QueryAnswer } from './session.ts';

/** What holds for a whole connection: asked once, so that no later statement fails for want of it. */
export interface ServerCapabilities extends RoleStanding {
  /** For example "18.4". */
  readonly version: string;
  /** `server_version_num`, for example 180004. */
  readonly versionNumber: number;
  /** What calls itself PostgreSQL, for example "PostgreSQL", "YugabyteDB". */
  readonly product: string;
  readonly database: string;
  readonly role: string;
  readonly maxConnections: number;
  readonly superuserReserved: number;
  /** `reserved_connections`, of PostgreSQL 16 and newer. */
  readonly reserved: number;
  /** May run `pg_blocking_pids`, which anybody may unless an administrator took it away. */
  readonly namesBlockers: boolean;
  /** `track_activity_query_size`: bytes after which the server cuts a statement. */
  readonly queryTextLimit: number;
  /** `track_activities` of the own session: without it sessions have neither state nor text. */
  readonly tracksActivities: boolean;
}

/** What an administrator may change while we are connected, and so is asked again from time to time. */
export interface RoleStanding {
  readonly isSuperuser: boolean;
  /** Sees the sessions of other roles: superuser, or a member of `pg_read_all_stats`. */
  readonly readsAllStats: boolean;
  /** May end statements and sessions of other ordinary roles: superuser, or a member of `pg_signal_backend`. */
  readonly signalsOthers: boolean;
  /** May use `reserved_connections`: a member of `pg_use_reserved_connections`. */
  readonly usesReserve: boolean;
  readonly inRecovery: boolean;
  readonly limits: readonly ConnectionLimitRow[];
}

/** The server checks the limit of the role that logged in, `session_user`. A superuser's own limit has no effect. */
const limits = `(
         SELECT pg_catalog.json_agg(pg_catalog.json_build_object('scope', scope, 'name', name, 'limit', connection_limit, 'isOwn', is_own))
           FROM (SELECT 'role' AS scope, rolname AS name, CASE WHEN rolconnlimit >= 0 THEN rolconnlimit END AS connection_limit, rolname = session_user AS is_own
                   FROM pg_catalog.pg_roles WHERE (rolconnlimit >= 0 AND NOT rolsuper) OR rolname = session_user
                 UNION ALL
                 SELECT 'database', datname, CASE WHEN datconnlimit >= 0 THEN datconnlimit END, datname = pg_catalog.current_database()
                   FROM pg_catalog.pg_database WHERE datconnlimit >= 0 OR datname = pg_catalog.current_database()) AS limited)`;

const standing = `
       (SELECT rolsuper FROM pg_catalog.pg_roles WHERE rolname = current_user) AS "isSuperuser",
       pg_catalog.pg_has_role(current_user, 'pg_read_all_stats', 'USAGE') AS "readsAllStats",
       pg_catalog.pg_has_role(current_user, 'pg_signal_backend', 'USAGE') AS "signalsOthers",
       EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'pg_use_reserved_connections' AND pg_catalog.pg_has_role(current_user, oid, 'USAGE')) AS "usesReserve",
       pg_catalog.pg_is_in_recovery() AS "inRecovery",
       ${limits} AS "limits"`;

const capabilities = `
SELECT pg_catalog.current_setting('server_version') AS "version",
       pg_catalog.current_setting('server_version_num')::int AS "versionNumber",
       pg_catalog.version() AS "product",
       pg_catalog.current_database() AS "database",
       current_user AS "role",
       pg_catalog.current_setting('max_connections')::int AS "maxConnections",
       pg_catalog.current_setting('superuser_reserved_connections')::int AS "superuserReserved",
       coalesce(pg_catalog.current_setting('reserved_connections', true), '0')::int AS "reserved",
       coalesce(pg_catalog.has_function_privilege(pg_catalog.to_regprocedure('pg_catalog.pg_blocking_pids(int)'), 'EXECUTE'), false) AS "namesBlockers",
       (SELECT setting::int FROM pg_catalog.pg_settings WHERE name = 'track_activity_query_size') AS "queryTextLimit",
       pg_catalog.current_setting('track_activities')::bool AS "tracksActivities",${standing}`;

/** Asks everything in one statement. */
export async function readCapabilities(
  session: Pick<DatabaseSession, 'query'>,
): Promise<QueryAnswer<ServerCapabilities>> {
  const answer = await session.query<ServerCapabilities>(capabilities);
  if (answer.kind === 'failed') return answer;
  return {
    kind: 'rows',
    rows: answer.rows.map((row) => ({
      ...row,
      version: row.version.replace(/ .*/s, ''),
      product: productOf(row.product),
    })),
  };
}

export function readStanding(
  session: Pick<DatabaseSession, 'query'>,
): Promise<QueryAnswer<RoleStanding>> {
  return session.query<RoleStanding>(`SELECT${standing}`);
}

/** By the words of `version()`, in which PostgreSQL's kin names itself. */
const kin: readonly (readonly [word: RegExp, product: string])[] = [
  [/-YB-/, 'YugabyteDB'],
  [/CockroachDB/, 'CockroachDB'],
  [/Redshift/, 'Redshift'],
  [/EnterpriseDB/, 'EDB Postgres'],
];

function productOf(version: string): string {
  return kin.find(([word]) => word.test(version))?.[1] ?? 'PostgreSQL';
}
