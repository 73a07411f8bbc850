/** A list as PostgreSQL reads an array of any type, each item as its text; null for NULL. */
export function toArrayLiteral(items: readonly (string | null)[]): string {
  const quoted = items.map((item) =>
    item === null ? 'NULL' : `"${item.replaceAll(/["\\]/g, String.raw`\$&`)}"`,
  );
  return `{${quoted.join(',')}}`;
}
