/** A chain of names that ends in a call, as V8 and source maps point at one: at its last name, or at its first. */
const call =
  /(?<name>(?:await\s+)?[\p{ID_Start}$_#][\p{ID_Continue}$]*(?:!?\??\.#?[\p{ID_Start}$_][\p{ID_Continue}$]*)*)(?:<[^<>()]{0,200}>)?(?:\?\.)?\s*[(`]/uy;
const longestLine = 2_000;

/**
 * What is called at a place of a line: its columns, from 1, the end exclusive. Undefined where nothing is: the place is then not one of this text,
 * as that of an old build whose source map points into newer source.
 */
export function callAt(
  line: string,
  column: number,
): { readonly column: number; readonly endColumn: number } | undefined {
  if (line.length > longestLine || /[\p{ID_Continue}$]/u.test(line.charAt(column - 2)))
    return undefined;
  call.lastIndex = column - 1;
  const name = call.exec(line)?.groups?.['name'];
  return name === undefined ? undefined : { column, endColumn: column + name.length };
}
