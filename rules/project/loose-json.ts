import { parse } from 'jsonc-parser';

/** Parses JSON in which comments and trailing commas may stand, as in tsconfig.json, and which may be half typed. Throws for anything else than an object. */
export function parseLooseJson(text: string): object {
  const value: unknown = parse(text);
  if (typeof value !== 'object' || value === null) throw new Error('This JSON is not an object.');
  return value;
}
