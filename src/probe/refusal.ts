import type { ConnectedRole } from '../activity/role-power.ts';

/** Why a probe does not begin, or cannot. */
export interface Refusal {
  readonly kind: 'refused';
  /** One or more whole sentences: what, where, what to do. */
  readonly sentence: string;
  /** Set when all that is missing is the consent to run as this role. */
  readonly role?: RefusedRole;
  /** Set when all that is missing is the consent to run code of these owners. */
  readonly owners?: readonly RefusedOwner[];
}

/** A role, or a foreign server, whose code statements may run, and that the user did not say is trusted. */
export interface RefusedOwner {
  /** What to trust: the name of a role, or `server:` and that of a foreign server. Hostile, as every string of the database. */
  readonly name: string;
  /** "37 functions, 12 views". */
  readonly owns: string;
}

/** A role with more rights than a probe needs. */
export interface RefusedRole extends ConnectedRole {
  /** Makes a role that suffices, a statement a line. */
  readonly sql: readonly string[];
}

export function refuse(sentence: string): Refusal {
  return { kind: 'refused', sentence };
}
