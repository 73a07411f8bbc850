import { toShortText } from './plain-text.ts';

/** What a role may do that no read-only transaction stops. */
export type RolePower = 'superuser' | 'superuser-member' | 'programs' | 'files';

/** The role of a connection, by the server. */
export interface ConnectedRole {
  /** Hostile, as every string of the database. */
  readonly name: string;
  /** The worst that it may do; null for an ordinary role. */
  readonly power: RolePower | null;
}

const described: Readonly<Record<RolePower, (name: string) => string>> = {
  superuser: (name) => `the superuser ${name}`,
  'superuser-member': (name) => `${name}, which may become a superuser`,
  programs: (name) => `${name}, which may run programs on the server`,
  files: (name) => `${name}, which may reach files of the server`,
};

/** For a button: "superuser postgres", "app". */
export function nameRole({ name, power }: ConnectedRole): string {
  return `${power === 'superuser' ? 'superuser ' : ''}${toShortText(name, 63)}`;
}

/** For example "app", "the superuser postgres". Harmless to terminals. */
export function describeRole({ name, power }: ConnectedRole): string {
  const plain = toShortText(name, 63);
  return power === null ? plain : described[power](plain);
}

/** A role that sees every session and reads no table. */
export const lookingRoleSql: readonly string[] = [
  "CREATE ROLE poolguard LOGIN PASSWORD '<a password>';",
  'GRANT pg_monitor TO poolguard;',
];

/** What to say once to somebody who looks with more rights than that takes. */
export function adviseOnLooking(role: ConnectedRole): string {
  return `Connected as ${describeRole(role)}; pg_monitor is enough to see every session: ${lookingRoleSql.join(' ')}`;
}
