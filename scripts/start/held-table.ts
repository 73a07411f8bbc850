import Table from 'cli-table3';
import { relative, resolve } from 'node:path';
import type { ReportedFile } from '../../src/report/report-input.ts';
import type { HeldLine } from './pool-watch.ts';

/** What ran beside what was read: each line that held clients for long, and the rule that speaks of the client acquired there. */
export function heldTable(
  lines: readonly HeldLine[],
  files: readonly ReportedFile[],
  root: string,
): string {
  const table = new Table({
    head: ['acquired at', 'out for long', 'never came back', 'what the linter says'],
    style: { head: [], border: [] },
    colAligns: ['left', 'right', 'right', 'left'],
  });
  for (const { place, checkouts, lost } of lines) {
    table.push([
      `${relative(root, place.file)}:${place.line}`,
      checkouts,
      lost,
      rulesAt(place, files, root).join(', ') || 'nothing',
    ]);
  }
  return table.toString();
}

/** The rules that report a client acquired on this line, there or further down its path. */
function rulesAt(
  { file, line }: HeldLine['place'],
  files: readonly ReportedFile[],
  root: string,
): readonly string[] {
  const problems = files.find(({ path }) => resolve(root, path) === file)?.problems ?? [];
  const speaking = problems.filter(
    ({ place: { start }, steps: [first] }) =>
      start.line === line || (first?.file === undefined && first?.place.start.line === line),
  );
  return [...new Set(speaking.map(({ rule }) => rule ?? ''))];
}
