/** A line that a statement names in a comment. */
export interface CommentedPlace {
  readonly path: string;
  readonly line: number;
}

const comment = /^\s*\/\*([^*]{1,2000})\*\/|\/\*([^*]{1,2000})\*\/\s*(?:;\s*)?$/u;
const fileKey = /(?:^|,)\s*file='([^'\\]{1,1000})'/u;

/** The place that a program adds to its statements by sqlcommenter, `file='src%2Fusers.ts%3A42%3A7'` in a comment before or behind them, and the statement without that comment. */
export function commentedPlace(
  sql: string,
): { readonly place: CommentedPlace | null; readonly rest: string } | null {
  const found = comment.exec(sql);
  const pairs = found?.[1] ?? found?.[2];
  if (found === null || pairs === undefined || !/^\s*[\w%.-]+='/u.test(pairs)) return null;
  const rest = (sql.slice(0, found.index) + sql.slice(found.index + found[0].length)).trim();
  return { place: placeIn(fileKey.exec(pairs)?.[1]), rest };
}

/** `src%2Fusers.ts%3A42%3A7` */
function placeIn(value: string | undefined): CommentedPlace | null {
  const [, path, line] = /^(.+?):(\d{1,7})(?::\d{1,7})?$/u.exec(decoded(value ?? '')) ?? [];
  return path === undefined || Number(line) < 1
    ? null
    : { path: path.replaceAll('\\', '/'), line: Number(line) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
