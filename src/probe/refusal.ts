import type { ConnectedRole } from '../activity/role-power.ts';

/** Why a probe does not begin, or cannot. */
export interface Refusal {
  readonly kind: 'refused';
  /** One or more whole sentences: what, where, what to do. */
  readonly sentence: string;
  /** Set when all that is missing is the consent to run as this role. */
  readonly role?: RefusedRole;
}

/** A role with more rights than a probe needs. */
export interface RefusedRole extends ConnectedRole {
  /** Makes a role that suffices, a statement a line. */
  readonly sql: readonly string[];
}

export function refuse(sentence: string): Refusal {
  return { kind: 'refused', sentence };
}
