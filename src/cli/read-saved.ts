import { readOrdinary } from '../../rules/project/ordinary-file.ts';
import { toPlainText } from '../activity/plain-text.ts';
import type { ReportedResult } from '../probe/result.ts';
import { readResult } from '../probe/saved/read-result.ts';
import { whyUnread } from '../files/why-unread.ts';
import { CouldNotRun } from './exit-code.ts';

/** A result with all its slices has some hundred kilobytes. */
const longestFile = 16_000_000;

/** The result in a file. Throws `CouldNotRun` with the reason when there is none. */
export function readSaved(path: string): ReportedResult {
  const answer = readResult(readText(path), toPlainText(path));
  if (answer.kind === 'refused') throw new CouldNotRun(answer.sentence);
  return answer.result;
}

function readText(path: string): string {
  const read = readOrdinary(path, { longest: longestFile });
  if (read.kind === 'unread') throw new CouldNotRun(whyUnread(path, read, longestFile));
  return read.bytes.toString('utf8');
}
