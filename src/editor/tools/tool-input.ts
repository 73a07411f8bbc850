import { toJson } from '../../text/to-json.ts';
export type ReadInput =
  | { readonly kind: 'texts'; readonly texts: ReadonlyMap<string, string> }
  | { readonly kind: 'problem'; readonly sentence: string };

/** What a model sends is anything: the named texts of it, or a sentence that says what is wrong. */
export function readInput(input: unknown, names: readonly string[]): ReadInput {
  const texts = new Map<string, string>();
  if (input === undefined || input === null) return { kind: 'texts', texts };
  if (typeof input !== 'object' || Array.isArray(input))
    return { kind: 'problem', sentence: 'The input must be an object.' };
  for (const [name, value] of Object.entries(input)) {
    if (!names.includes(name))
      return {
        kind: 'problem',
        sentence: `The input has ${toJson(name.slice(0, 40))}, which this tool does not accept.`,
      };
    if (typeof value !== 'string')
      return { kind: 'problem', sentence: `"${name}" must be a string.` };
    texts.set(name, value);
  }
  return { kind: 'texts', texts };
}
