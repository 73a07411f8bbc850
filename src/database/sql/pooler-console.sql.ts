/** Asks the console of a pooler, which knows no SQL but this. `what` is a word of ours, such as `pools`. */
export function showSql(what: string): string {
  return `SHOW ${what.toUpperCase()}`;
}
