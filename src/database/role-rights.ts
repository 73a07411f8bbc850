import type { DatabaseSession, QueryAnswer } from './session.ts';
import { roleRightsSql } from './sql/role-rights.sql.ts';

/** What one role may do beyond SQL. Names are hostile, as every string of the database. */
export interface RoleRights {
  readonly name: string;
  /** It logged in; else it is the current one, which the session was set to. */
  readonly isLogin: boolean;
  readonly isSuperuser: boolean;
  /** Superusers, and predefined roles that reach programs or files, of which it is a member; empty for a superuser. */
  readonly memberOf: readonly string[];
}

/** Gives the role that logged in, then the current one where that is another. */
export function readRoleRights(
  session: Pick<DatabaseSession, 'query'>,
): Promise<QueryAnswer<RoleRights>> {
  return session.query<RoleRights>(roleRightsSql);
}
