import { writeSync } from 'node:fs';

/** A line on standard error, whatever the application has made of `console` and `process.stderr`, at once, and none when nobody reads. */
export function sayOnStderr(line: string): void {
  try {
    writeSync(2, `${line}\n`);
  } catch {
    // Closed, or full: the application is not to feel it.
  }
}
