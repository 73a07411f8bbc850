/** Parses JSON in which comments and trailing commas may stand, as in tsconfig.json. Throws for anything else than an object. */
export function parseLooseJson(text: string): object {
  const plain = text
    .replace(/("(?:[^"\\]|\\[^])*(?:"|\\?$))|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)/gu, '$1')
    .replace(/("(?:[^"\\]|\\[^])*(?:"|\\?$))|,(?=\s*[}\]])/gu, '$1');
  const value: unknown = JSON.parse(plain);
  if (typeof value !== 'object' || value === null) throw new Error('This JSON is no object.');
  return value;
}
