/** Whole sentences after each other; null for one that does not apply. */
export function sentences(parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null).join(' ');
}
