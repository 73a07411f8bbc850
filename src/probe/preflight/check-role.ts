import { adviseOnLooking, type ConnectedRole } from '../../activity/role-power.ts';
import { readRoleRights } from '../../database/role-rights.ts';
import type { DatabaseSession } from '../../database/session.ts';
import { refuse, type Refusal } from '../refusal.ts';
import type { CommonRequest, WorkloadRequest } from '../request.ts';
import { listTables } from '../workload/named-tables.ts';
import { loadSqlParser } from '../workload/sql-parser.ts';
import { findRole, judgeRole, noteOnRole, type Granted } from './role-guard.ts';

type Asker = Pick<DatabaseSession, 'query'>;

/** Whom the probe runs as, and what to say of that. */
export interface CheckedRole {
  readonly kind: 'role';
  readonly role: ConnectedRole;
  readonly notes: readonly string[];
}

type Asked = Pick<CommonRequest, 'workload' | 'allowRole'>;

/**
 * Asks the server who runs the statements. Refuses a role that may do what a read-only transaction does not stop,
 * unless it was allowed by its name.
 */
export async function checkRole(
  session: Asker,
  { workload, allowRole }: Asked,
): Promise<CheckedRole | Refusal> {
  const answer = await readRoleRights(session);
  if (answer.kind === 'failed') return refuse(answer.failure.sentence);
  const role = findRole(answer.rows);
  if (role === undefined)
    return refuse('The server does not say which rights this role has, so nothing is run as it.');
  const refused = judgeRole(role, allowRole, await findTables(workload));
  return refused ?? { kind: 'role', role, notes: role.power === null ? [] : [noteOnRole(role)] };
}

async function findTables(workload: WorkloadRequest): Promise<Granted> {
  if (workload.kind === 'stand-in') return [];
  const loaded = await loadSqlParser();
  if (workload.kind === 'top' || loaded.kind === 'refused') return 'unknown';
  const parsed = workload.statements.map(({ text }) => loaded.parse(text));
  return listTables(parsed.flatMap((each) => (each.kind === 'tree' ? each.statements : [])));
}

/** What to say of a session that only looks; nothing for an ordinary role, or where the server does not tell. */
export async function noteOnLooking(session: Asker): Promise<readonly string[]> {
  const answer = await readRoleRights(session);
  const role = answer.kind === 'rows' ? findRole(answer.rows) : undefined;
  return role === undefined || role.power === null ? [] : [adviseOnLooking(role)];
}
