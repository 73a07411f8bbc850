/**
 * Functions that work together on one client: each step stands in one of three members, which call each other. How they come by the
 * client is up to the form in which they are printed.
 */
export interface Team {
  readonly members: readonly (readonly Step[])[];
}

export type Step =
  | { readonly kind: 'query' }
  | { readonly kind: 'transaction'; readonly text: 'BEGIN' | 'COMMIT' | 'ROLLBACK' }
  | { readonly kind: 'release'; readonly how: StepRelease }
  | { readonly kind: 'second checkout' }
  | { readonly kind: 'leave'; readonly how: 'return' | 'throw' }
  | { readonly kind: 'call'; readonly member: number }
  | {
      readonly kind: 'try';
      readonly body: readonly Step[];
      readonly handler: readonly Step[] | null;
      readonly finalizer: readonly Step[] | null;
    };

export const stepReleases = ['plain', 'once', 'told', 'sometimes'] as const;
/** How a team gets its client. */
export const teamForms = [
  'parameter',
  'object parameter',
  'object written first',
  'class',
  'static',
  'factory',
  'opened factory',
] as const;
export const teamSize = 3;

export type StepRelease = (typeof stepReleases)[number];
export type TeamForm = (typeof teamForms)[number];

/** A call of a member from outside of the team. */
export interface TeamCall {
  readonly member: number;
  readonly told: 'true' | 'false' | 'p' | 'check()';
}
