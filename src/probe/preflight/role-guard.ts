import { toPlainText } from '../../activity/plain-text.ts';
import {
  adviseOnLooking,
  type ConnectedRole,
  describeRole,
  lookingRoleSql,
  type RolePower,
} from '../../activity/role-power.ts';
import { readRoleRights, type RoleRights } from '../../database/probe-server.ts';
import type { Asker } from '../../database/session.ts';
import { quoteName } from '../../sql/quote-name.ts';
import { toShellWord } from '../../text/shell-word.ts';
import { type Refusal, refuse } from '../refusal.ts';
import type { CommonRequest, WorkloadRequest } from '../request.ts';
import { listTables, type NamedTable } from '../workload/named-tables.ts';
import { loadSqlParser } from '../workload/sql-parser.ts';

/**
 * Whom a statement runs as: the role that logged in where that one is mighty, because whatever is called can return to it;
 * else the current one.
 */
export function findRole(rights: readonly RoleRights[]): ConnectedRole | undefined {
  const roles = rights.map((each) => ({ name: each.name, power: powerOf(each) }));
  return roles.find(({ power }) => power !== null) ?? roles.at(-1);
}

function powerOf({ isSuperuser, memberOf }: RoleRights): RolePower | null {
  if (isSuperuser) return 'superuser';
  if (memberOf.some((name) => !predefined.has(name))) return 'superuser-member';
  if (memberOf.includes('pg_execute_server_program')) return 'programs';
  return memberOf.length > 0 ? 'files' : null;
}

/** Nobody can make a role whose name begins with `pg_`. */
const predefined: ReadonlySet<string> = new Set([
  'pg_execute_server_program',
  'pg_read_server_files',
  'pg_write_server_files',
]);

/** What is granted on: the tables that the statements name, or none known before the server told its top statements. */
export type Granted = readonly NamedTable[] | 'unknown';

/** Why nothing runs as this role, and what would do; null for an ordinary role, and for one that was allowed by its name. */
export function judgeRole(
  role: ConnectedRole,
  allowed: string | null,
  granted: Granted,
): Refusal | null {
  if (allowed === role.name || (allowed === null && role.power === null)) return null;
  if (allowed !== null) return refuse(describeMismatch(role));
  const sql = suffices(granted);
  const lines = [
    `${describeDanger(role)} Probe as an ordinary role:`,
    ...sql.map((line) => `  ${line}`),
    howToAllow(role),
  ];
  return { ...refuse(lines.join('\n')), role: { ...role, sql } };
}

/** What was named is never repeated: it may be a connection string that slipped in. */
function describeMismatch(role: ConnectedRole): string {
  const cure = role.power === null ? 'Leave it out: this role needs no consent.' : howToAllow(role);
  return `--allow-role does not name the role of this connection, which is ${describeRole(role)}. ${cure}`;
}

function describeDanger(role: ConnectedRole): string {
  const why =
    'functions that the statement calls would have the same rights, and a read-only transaction stops neither programs nor files';
  return `A probe does not run as ${describeRole(role)}: ${why}.`;
}

function howToAllow({ name }: ConnectedRole): string {
  return `To run as exactly this role, add --allow-role ${toShellWord(toPlainText(name))}.`;
}

/** For the plan of a probe that runs as such a role all the same. */
function noteOnRole(role: ConnectedRole): string {
  return `Runs as ${describeRole(role)}, as you allowed: functions that the statement calls have the same rights.`;
}

/** SQL that makes a role with just enough rights, a statement a line. */
export function suffices(granted: Granted): readonly string[] {
  if (granted === 'unknown')
    return [...lookingRoleSql, 'GRANT SELECT ON ALL TABLES IN SCHEMA public TO poolguard;'];
  const schemas = [
    ...new Set(granted.flatMap(({ schema }) => (schema === null ? [] : [quoteName(schema)]))),
  ];
  const usage =
    schemas.length === 0 ? [] : [`GRANT USAGE ON SCHEMA ${schemas.join(', ')} TO poolguard;`];
  return [...lookingRoleSql, ...usage, ...grantsOn(granted)];
}

function grantsOn(tables: readonly NamedTable[]): readonly string[] {
  const byPrivileges = new Map<string, string[]>();
  for (const { schema, table, privileges } of tables) {
    const words = privileges.join(', ');
    const names = byPrivileges.get(words) ?? [];
    byPrivileges.set(words, [
      ...names,
      `${schema === null ? '' : `${quoteName(schema)}.`}${quoteName(table)}`,
    ]);
  }
  return [...byPrivileges].map(
    ([words, names]) => `GRANT ${words} ON ${names.join(', ')} TO poolguard;`,
  );
}

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
