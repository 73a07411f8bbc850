import { readFileSync, statSync } from 'node:fs';
import { toPlainText } from '../activity/plain-text.ts';
import type { ReportedResult } from '../probe/result.ts';
import { readResult } from '../probe/saved/read-result.ts';
import { CouldNotRun } from './exit-code.ts';

/** A result with all its slices has some hundred kilobytes. */
const longestFile = 16 * 1024 * 1024;

/** The result in a file. Throws `CouldNotRun` with the reason when there is none. */
export function readSaved(path: string): ReportedResult {
  const answer = readResult(readText(path), toPlainText(path));
  if (answer.kind === 'refused') throw new CouldNotRun(answer.sentence);
  return answer.result;
}

function readText(path: string): string {
  const name = toPlainText(path);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new CouldNotRun(`There is no file ${name}.`);
  // A pipe may never end, and a device has no size.
  if (!stat.isFile()) throw new CouldNotRun(`${name} is not a regular file.`);
  if (stat.size > longestFile)
    throw new CouldNotRun(
      `${name} is larger than ${longestFile / 1024 / 1024} MB, and no result of a probe is.`,
    );
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new CouldNotRun(
      `${name} cannot be read (${error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'}).`,
    );
  }
}
