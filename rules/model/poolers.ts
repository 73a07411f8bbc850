import type { SessionEffect } from './sql.ts';

/** What a pooler makes of session state: others get it, it does not work, the backend is pinned to one client, or all is well. */
export type Outcome = 'leaks' | 'breaks' | 'pins' | 'works';

export interface Pooler {
  readonly kind: string;
  readonly name: string;
  /** By effect, in transaction mode; `other` for the rest. */
  readonly transactionMode: Readonly<Partial<Record<SessionEffect, Outcome>>> & { readonly other: Outcome };
}

/** Sources: each pooler's own feature list; PgBouncer's transaction-mode behaviour was also measured on 1.18 with pg 8.23. */
export const poolers: readonly Pooler[] = [
  { kind: 'pgbouncer', name: 'PgBouncer', transactionMode: { set: 'leaks', 'advisory-lock': 'leaks', listen: 'breaks', other: 'breaks' } },
  { kind: 'supavisor', name: 'Supavisor', transactionMode: { set: 'leaks', 'advisory-lock': 'leaks', listen: 'breaks', other: 'breaks' } },
  { kind: 'neon', name: "Neon's pooler", transactionMode: { other: 'breaks' } },
  { kind: 'rds-proxy', name: 'RDS Proxy', transactionMode: { other: 'pins' } },
  { kind: 'pgdog', name: 'PgDog', transactionMode: { set: 'works', 'advisory-lock': 'pins', other: 'breaks' } },
  { kind: 'odyssey', name: 'Odyssey', transactionMode: { other: 'breaks' } },
  { kind: 'pgcat', name: 'PgCat', transactionMode: { other: 'breaks' } },
];
