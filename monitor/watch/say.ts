import { writeSync } from 'node:fs';

/** What would steer a terminal, reorder a line or hide in it: names and paths are the application's. */
const hidden = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** A line on standard error, whatever the application has made of `console` and `process.stderr`, at once, and none when nobody reads. */
export function sayOnStderr(line: string): void {
  try {
    writeSync(
      2,
      `${line.replace(hidden, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)}\n`,
    );
  } catch {
    // Closed, or full: the application is not to feel it.
  }
}
