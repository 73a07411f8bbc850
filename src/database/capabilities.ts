import * as v from 'valibot';
import { ConnectionLimitRow } from '../activity/server-rows.ts';
import { number, type OutputOf } from '../schema/fields.ts';
import type { Asker, QueryAnswer } from './session.ts';
import { capabilitiesSql, standingSql } from './sql/capabilities.sql.ts';

/** What the server does not know is not so. */
const truth = v.pipe(
  v.nullable(v.boolean()),
  v.transform((isSo) => isSo === true),
);

/** What an administrator may change while we are connected, and so is asked again from time to time. */
const RoleStanding = v.object({
  isSuperuser: truth,
  /** Sees the sessions of other roles: superuser, or a member of `pg_read_all_stats`. */
  readsAllStats: truth,
  /** May end statements and sessions of other ordinary roles: superuser, or a member of `pg_signal_backend`. */
  signalsOthers: truth,
  /** May use `reserved_connections`: a member of `pg_use_reserved_connections`. */
  usesReserve: truth,
  inRecovery: truth,
  limits: v.array(ConnectionLimitRow),
});
export type RoleStanding = OutputOf<typeof RoleStanding>;

/** What holds for a whole connection: asked once, so that no later statement fails for want of it. */
const ServerCapabilities = v.pipe(
  v.object({
    ...RoleStanding.entries,
    /** For example "18.4". */
    version: v.string(),
    /** `server_version_num`, for example 180004. */
    versionNumber: number,
    /** What calls itself PostgreSQL, for example "PostgreSQL", "YugabyteDB". */
    product: v.string(),
    database: v.string(),
    role: v.string(),
    maxConnections: number,
    superuserReserved: number,
    /** `reserved_connections`, of PostgreSQL 16 and newer. */
    reserved: number,
    /** May run `pg_blocking_pids`, which anybody may unless an administrator took it away. */
    namesBlockers: v.boolean(),
    /** `track_activity_query_size`: bytes after which the server cuts a statement. */
    queryTextLimit: v.nullable(number),
    /** `track_activities` of the own session: without it sessions have neither state nor text. */
    tracksActivities: v.boolean(),
  }),
  v.forward(v.partialCheck([['version'], ['versionNumber']], isSameVersion), ['versionNumber']),
);
export type ServerCapabilities = OutputOf<typeof ServerCapabilities>;

/** Asks everything in one statement. */
export async function readCapabilities(session: Asker): Promise<QueryAnswer<ServerCapabilities>> {
  const answer = await session.query(capabilitiesSql, ServerCapabilities);
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

export function readStanding(session: Asker): Promise<QueryAnswer<RoleStanding>> {
  return session.query(standingSql, RoleStanding);
}

/** "18.4" and 180004, before PostgreSQL 10 "9.6.1" and 90601. */
function isSameVersion({ version, versionNumber }: { version: string; versionNumber: number }) {
  return Number.parseInt(version, 10) === Math.floor(versionNumber / 10_000);
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
