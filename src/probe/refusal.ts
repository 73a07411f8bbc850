/** Why a probe does not begin, or cannot. */
export interface Refusal {
  readonly kind: 'refused';
  /** One or more whole sentences: what, where, what to do. */
  readonly sentence: string;
}

export function refuse(sentence: string): Refusal {
  return { kind: 'refused', sentence };
}
