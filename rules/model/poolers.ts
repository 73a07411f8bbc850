import type { SessionEffect } from './sql.ts';

/** What a pooler makes of session state: others get it, it does not work, the backend is pinned to one client, or all is well. */
export type Outcome = 'leaks' | 'breaks' | 'pins' | 'works';

export interface Pooler {
  readonly kind: string;
  readonly name: string;
  /** By effect, in transaction mode; `other` for the rest. */
  readonly transactionMode: Readonly<Partial<Record<SessionEffect, Outcome>>> & { readonly other: Outcome };
  /** Settings that it keeps with the client, whichever backend serves it. */
  readonly trackedSettings?: ReadonlySet<string>;
  /** Named prepared statements work from this version on, where nobody has switched them off. */
  readonly namedStatementsSince?: { readonly version: string; readonly remark: string };
}

/** PgBouncer 1.24 `src/varcache.c` and `config.md`, `max_prepared_statements`. */
const trackedByPgBouncer: ReadonlySet<string> = new Set(['client_encoding', 'datestyle', 'timezone', 'standard_conforming_strings', 'application_name', 'intervalstyle']);

/** Sources: each pooler's own feature list; PgBouncer's transaction-mode behaviour was also measured on 1.18 with pg 8.23. */
export const poolers: readonly Pooler[] = [
  {
    kind: 'pgbouncer',
    name: 'PgBouncer',
    transactionMode: { set: 'leaks', 'advisory-lock': 'leaks', listen: 'breaks', other: 'breaks' },
    trackedSettings: trackedByPgBouncer,
    namedStatementsSince: { version: '1.24', remark: 'or, if your PgBouncer has `max_prepared_statements` on (it has by default from 1.24), say its `version` in `settings.poolguard.pooler`' },
  },
  { kind: 'supavisor', name: 'Supavisor', transactionMode: { set: 'leaks', 'advisory-lock': 'leaks', listen: 'breaks', other: 'breaks' } },
  { kind: 'neon', name: "Neon's pooler", transactionMode: { 'named-statement': 'works', other: 'breaks' } },
  { kind: 'rds-proxy', name: 'RDS Proxy', transactionMode: { other: 'pins' } },
  { kind: 'pgdog', name: 'PgDog', transactionMode: { set: 'works', 'advisory-lock': 'pins', 'named-statement': 'works', other: 'breaks' } },
  { kind: 'odyssey', name: 'Odyssey', transactionMode: { other: 'breaks' } },
  { kind: 'pgcat', name: 'PgCat', transactionMode: { other: 'breaks' } },
];

/** True when `version` (such as `1.24.1`) is `since` or newer; false when it is not known. */
export function isAtLeast(version: string | undefined, since: string): boolean {
  if (version === undefined) return false;
  const [parts, wanted] = [version, since].map((text) => text.split('.').map(Number));
  const different = wanted?.findIndex((part, index) => part !== (parts?.[index] ?? 0)) ?? -1;
  return different < 0 || (parts?.[different] ?? 0) > (wanted?.[different] ?? 0);
}
