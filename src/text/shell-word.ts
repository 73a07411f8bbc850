/** A text as one word of a POSIX shell, quoted where it has to be. */
export function toShellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
