/** Blanks of PostgreSQL's `scan.l`. Those beyond ASCII are parts of names. */
export function isBlank(character: string): boolean {
  return character !== '' && ' \t\n\r\f\v'.includes(character);
}

export function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}

export function isWordStart(character: string): boolean {
  return (
    (character >= 'a' && character <= 'z') ||
    (character >= 'A' && character <= 'Z') ||
    character === '_' ||
    character >= '\u0080'
  );
}

export function isWordPart(character: string): boolean {
  return isWordStart(character) || isDigit(character) || character === '$';
}

export function endOfRun(
  sql: string,
  start: number,
  isPart: (character: string) => boolean,
): number {
  let at = start;
  while (at < sql.length && isPart(sql.charAt(at))) at++;
  return at;
}

/** The end of a comment that reaches to the end of its line. */
export function endOfLine(sql: string, start: number): number {
  return endOfRun(sql, start, (each) => each !== '\n' && each !== '\r');
}
