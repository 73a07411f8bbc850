import type { Asker } from './probe-server.ts';
import type { DatabaseSession, QueryAnswer } from './session.ts';
import {
  calledFunctionsSql,
  calledOperatorsSql,
  calledRelationsSql,
  calledTypesSql,
  callEnvironmentSql,
  namedObjectsSql,
} from './sql/call-facts.sql.ts';

/** `pg_class.oid` and its like. */
export type Oid = number;

/** OIDs below belong to PostgreSQL itself (access/transam.h, FirstNormalObjectId). */
export const firstOwnOid: Oid = 16_384;

export interface FunctionFacts {
  readonly oid: Oid;
  readonly schema: string;
  readonly name: string;
  /** For example `integer, text`. */
  readonly arguments: string;
  /** `pg_language.lanname`: "sql", "plpgsql", "c", "internal", … */
  readonly language: string;
  /** Function, procedure, aggregate, window function. */
  readonly kind: 'f' | 'p' | 'a' | 'w';
  /** Immutable, stable, volatile: what its author claims. */
  readonly volatility: 'i' | 's' | 'v';
  /** SECURITY DEFINER: runs with the rights of its owner. */
  readonly isDefiner: boolean;
  readonly owner: string;
  /** Whether the current role owns it. */
  readonly isOwn: boolean;
  /** Whether a superuser owns it, and so nobody else can have written it. */
  readonly isOfSuperuser: boolean;
  /** The extension that brought it; null for none. */
  readonly extension: string | null;
  /** `name=value`, set while it runs. */
  readonly settings: readonly string[];
  /** Its body where that is text, at most 200,001 characters. */
  readonly source: string | null;
  /** Its body in standard SQL, as node trees. */
  readonly tree: string | null;
  readonly defaults: string | null;
  /** The functions of an aggregate; 0 or null where it has none. */
  readonly parts: readonly (Oid | null)[];
  readonly types: readonly Oid[];
}

export interface OperatorFacts {
  readonly oid: Oid;
  readonly function: Oid;
}

export interface TypeFacts {
  readonly oid: Oid;
  readonly schema: string;
  readonly name: string;
  readonly types: readonly Oid[];
  readonly functions: readonly Oid[];
  /** Functions of casts from it and to it. */
  readonly casts: readonly Oid[];
  /** Of a domain, as node trees. */
  readonly checks: readonly string[];
}

/** One definition of a relation; that of kind `relation` stands for itself. */
export interface RelationPart {
  readonly oid: Oid;
  readonly schema: string;
  readonly name: string;
  /** `pg_class.relkind`: "r", "v", "m", "p", "f". */
  readonly relationKind: string;
  readonly hasRowSecurity: boolean;
  readonly kind: RelationPartKind;
  /** The name of the rule, policy, column, … */
  readonly part: string;
  readonly tree: string | null;
  readonly functions: readonly Oid[] | null;
  readonly relations: readonly Oid[] | null;
  readonly types: readonly Oid[] | null;
}

export type RelationPartKind =
  | 'relation'
  | 'view'
  | 'rule'
  | 'policy'
  | 'generated'
  | 'default'
  | 'constraint'
  | 'index'
  | 'statistics'
  | 'partition key'
  | 'trigger'
  | 'foreign key';

/** What a name may mean. */
export interface NamedObject {
  readonly kind: 'function' | 'relation' | 'type';
  readonly oid: Oid;
  readonly name: string;
  readonly schema: string;
  /** A function that can be called as `row.name`. */
  readonly isAttribute: boolean;
}

export interface CallEnvironment {
  readonly role: string;
  /** The role, or the one that logged in. */
  readonly isSuperuser: boolean;
  /** The effective search path. */
  readonly schemas: readonly string[];
  /** Those that neither PostgreSQL nor an extension brings. */
  readonly operators: readonly { readonly symbol: string; readonly oid: Oid }[];
  /** Domains with a CHECK. */
  readonly domains: readonly Oid[];
}

export async function readCallEnvironment(
  session: Pick<DatabaseSession, 'run' | 'settle'>,
): Promise<QueryAnswer<CallEnvironment>> {
  // As the workload runs: a statement of ours has a search path of its own behind a pooler.
  const answer = await session.run({ text: callEnvironmentSql });
  await session.settle();
  return answer as QueryAnswer<CallEnvironment>;
}

export function readFunctions(
  session: Asker,
  oids: readonly Oid[],
): Promise<QueryAnswer<FunctionFacts>> {
  return session.query<FunctionFacts>({ text: calledFunctionsSql, values: [oids] });
}

export function readOperators(
  session: Asker,
  oids: readonly Oid[],
): Promise<QueryAnswer<OperatorFacts>> {
  return session.query<OperatorFacts>({ text: calledOperatorsSql, values: [oids] });
}

export function readTypes(session: Asker, oids: readonly Oid[]): Promise<QueryAnswer<TypeFacts>> {
  return session.query<TypeFacts>({ text: calledTypesSql, values: [oids] });
}

export function readRelations(
  session: Asker,
  oids: readonly Oid[],
): Promise<QueryAnswer<RelationPart>> {
  return session.query<RelationPart>({ text: calledRelationsSql, values: [oids] });
}

export function readNamedObjects(
  session: Asker,
  names: readonly string[],
): Promise<QueryAnswer<NamedObject>> {
  return session.query<NamedObject>({ text: namedObjectsSql, values: [names] });
}
