import type { DatabaseSession, QueryAnswer } from './session.ts';
import {
  backendStatesSql,
  cancelOwnStatementsSql,
  databaseBytesSql,
  probeServerFactsSql,
} from './sql/probe-server.sql.ts';

/** All that these questions need of a session. */
export type Asker = Pick<DatabaseSession, 'query'>;

/** How many connections the server still takes, and from whom. */
export interface ServerRoomFacts {
  readonly maxConnections: number;
  /** `superuser_reserved_connections` and `reserved_connections` together. */
  readonly reserved: number;
  readonly used: number;
  /** `rolconnlimit` of the role; null for no limit, as for superusers. */
  readonly roleLimit: number | null;
  /** Connections that the role may still open by it. */
  readonly roleFree: number | null;
  /** `datconnlimit` of the database; null for no limit, as for superusers. */
  readonly databaseLimit: number | null;
  /** Connections that the database still takes by it. */
  readonly databaseFree: number | null;
}

/** What the server says about itself before a probe. */
export interface ProbeServerFacts extends ServerRoomFacts {
  readonly version: string;
  readonly inRecovery: boolean;
  readonly clusterName: string;
  readonly activeOthers: number;
  /** Sessions of other roles whose state this role may not see. */
  readonly hiddenOthers: number;
}

export function readProbeServerFacts(session: Asker): Promise<QueryAnswer<ProbeServerFacts>> {
  return session.query<ProbeServerFacts>(probeServerFactsSql);
}

/** Size of the connected database in bytes; null when the server does not tell, which may take it long where there are many tables. */
export async function readDatabaseBytes(session: Asker): Promise<number | null> {
  const answer = await session.query<{ bytes: string }>(databaseBytesSql);
  return answer.kind === 'rows' ? Number(answer.rows[0]?.bytes ?? 0) : null;
}

/** What the active ones among this probe's backends wait for; null types for those that run. */
export function readBackendStates(
  session: Asker,
): Promise<QueryAnswer<{ type: string | null; event: string | null; count: number }>> {
  return session.query({ name: 'poolguard_waits', text: backendStatesSql });
}

/** Asks the server to end whatever else runs under the `application_name` of this session, which belongs to one probe alone. */
export async function cancelOwnStatements(session: Asker): Promise<void> {
  await session.query(cancelOwnStatementsSql);
}
