import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { countsFile, type Counted, type CountedPlace } from './counts.ts';
import { everyPlace, roleWords } from './places.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A folder in which the files of the suite leave what they counted. */
    readonly hostileCounts: string;
  }
}

/** Collects what each version counted, and prints one table when all are through. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'poolguard-hostile-'));
  project.provide('hostileCounts', folder);
  return async () => {
    const file = join(folder, countsFile);
    if (existsSync(file))
      process.stdout.write(
        `\n${toTable(
          readFileSync(file, 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line) as CountedPlace),
        )}\n`,
      );
    await rm(folder, { recursive: true });
  };
}

const columns: readonly (readonly [title: string, key: keyof Counted])[] = [
  ['jobs', 'jobs'],
  ['statements', 'statements'],
  ['calls noted', 'called'],
  ['ways tried', 'ways'],
  ['left behind', 'left'],
];

function toTable(counted: readonly CountedPlace[]): string {
  const majors = [...new Set(counted.map(({ major }) => major))].sort((one, other) => one - other);
  const sum = (rows: readonly CountedPlace[], key: keyof Counted) =>
    String(rows.reduce((total, row) => total + (row[key] ?? 0), 0));
  const line = (first: readonly string[], rows: readonly CountedPlace[]) => [
    ...first,
    ...columns.map(([, key]) => sum(rows, key)),
  ];
  const rows = everyPlace.map(({ role, path }) =>
    line(
      [path, roleWords[role]],
      counted.filter((row) => row.role === role && row.path === path),
    ),
  );
  const lines = [
    ['path', 'role', ...columns.map(([title]) => title)],
    ...rows,
    line(['all', ''], counted),
  ];
  const widths =
    lines[0]?.map((_, at) => Math.max(...lines.map((cells) => cells[at]?.length ?? 0))) ?? [];
  return [
    `A hostile owner, PostgreSQL ${majors.join(', ')}:`,
    ...lines.map((cells) =>
      cells
        .map((cell, at) => (at < 2 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
        .join('  '),
    ),
  ].join('\n');
}
