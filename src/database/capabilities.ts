import type { ConnectionLimitRow } from '../activity/headroom.ts';
import { shaped, type RowShape } from './row-shape.ts';
import type { DatabaseSession, QueryAnswer } from './session.ts';
import { capabilitiesSql, standingSql } from './sql/capabilities.sql.ts';

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

const standingShape: RowShape<RoleStanding> = {
  isSuperuser: 'boolean?',
  readsAllStats: 'boolean?',
  signalsOthers: 'boolean?',
  usesReserve: 'boolean?',
  inRecovery: 'boolean?',
  limits: 'rows',
};

const capabilitiesShape: RowShape<ServerCapabilities> = {
  ...standingShape,
  version: 'text',
  versionNumber: 'number',
  product: 'text',
  database: 'text',
  role: 'text',
  maxConnections: 'number',
  superuserReserved: 'number',
  reserved: 'number',
  namesBlockers: 'boolean',
  queryTextLimit: 'number?',
  tracksActivities: 'boolean',
};

/** Asks everything in one statement. */
export async function readCapabilities(
  session: Pick<DatabaseSession, 'query'>,
): Promise<QueryAnswer<ServerCapabilities>> {
  const answer = shaped(
    await session.query<ServerCapabilities>(capabilitiesSql),
    capabilitiesShape,
  );
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

export async function readStanding(
  session: Pick<DatabaseSession, 'query'>,
): Promise<QueryAnswer<RoleStanding>> {
  return shaped(await session.query<RoleStanding>(standingSql), standingShape);
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
