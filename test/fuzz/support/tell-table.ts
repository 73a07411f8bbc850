import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Table from 'cli-table3';
import type { TestProject } from 'vitest/node';

/** What one target came to. */
export interface Tried {
  readonly target: string;
  readonly cases: number;
  readonly failures: number;
  readonly medianMs: number;
  readonly slowestMs: number;
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** A line of JSON for each target that has ended. */
    triedFile: string;
  }
}

/** Gathers what the targets came to, over all workers, and prints a table at the end. */
export default function tellTable(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'poolguard-fuzz-'));
  const file = join(folder, 'tried');
  writeFileSync(file, '');
  project.provide('triedFile', file);
  return () => {
    const rows = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Tried);
    rmSync(folder, { recursive: true });
    process.stdout.write(`${toTable(rows)}\n`);
  };
}

function toTable(rows: readonly Tried[]): string {
  const table = new Table({
    head: ['target', 'cases', 'failures', 'median', 'slowest'],
    style: { head: [], border: [] },
    colAligns: ['left', 'right', 'right', 'right', 'right'],
  });
  for (const { target, cases, failures, medianMs, slowestMs } of [...rows].sort((a, b) =>
    a.target.localeCompare(b.target),
  )) {
    table.push([
      target,
      cases,
      failures,
      `${medianMs.toFixed(2)} ms`,
      `${slowestMs.toFixed(0)} ms`,
    ]);
  }
  const sum = (of: 'cases' | 'failures'): number => rows.reduce((all, row) => all + row[of], 0);
  table.push([`${rows.length} targets`, sum('cases'), sum('failures'), '', '']);
  return table.toString();
}
