import { appendFileSync, readFileSync } from 'node:fs';
import { inject } from 'vitest';

/** What came of one fault on one subject. */
export interface Entry {
  readonly fault: string;
  readonly subject: string;
  /** What did not hold; empty when it survived. */
  readonly complaints: readonly string[];
  /** From the end of both until nothing of the subject was left, in milliseconds. */
  readonly cleanMs: number;
}

export function note(entry: Entry): void {
  appendFileSync(inject('chaosLedger'), `${JSON.stringify(entry)}\n`);
}

export function readLedger(path: string): readonly Entry[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Entry);
}
