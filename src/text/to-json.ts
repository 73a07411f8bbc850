import { escapeHiddenUnits } from './hidden.ts';

/**
 * The JSON of everything that is printed, copied or written: no hidden character stands in it as it is, and it parses
 * back to the same value.
 * @param indent blanks of each level; without it all stands on one line
 */
export function toJson(value: unknown, indent?: number): string {
  return escapeHiddenUnits(JSON.stringify(value, null, indent));
}
