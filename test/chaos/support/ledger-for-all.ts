import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Table from 'cli-table3';
import type { TestProject } from 'vitest/node';
import { readLedger, type Entry } from './ledger.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The file to which every trial adds a line. */
    readonly chaosLedger: string;
  }
}

/** One list of all trials, whichever file they ran in, printed at the end. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'poolguard-chaos-'));
  const path = join(folder, 'ledger.jsonl');
  await writeFile(path, '');
  project.provide('chaosLedger', path);
  return async () => {
    process.stdout.write(`${format(readLedger(path))}\n`);
    await rm(folder, { recursive: true });
  };
}

function format(entries: readonly Entry[]): string {
  const table = new Table({
    head: ['fault', 'subject', 'tried', 'survived', 'clean after, at most'],
    style: { head: [], border: [], compact: true },
  });
  const groups = new Map<string, Entry[]>();
  for (const entry of entries)
    groups.set(keyOf(entry), [...(groups.get(keyOf(entry)) ?? []), entry]);
  for (const [key, group] of [...groups].sort(([one], [other]) => one.localeCompare(other))) {
    table.push([
      ...key.split('\n'),
      group.length,
      count(group),
      `${(Math.max(...group.map(({ cleanMs }) => cleanMs)) / 1000).toFixed(2)} s`,
    ]);
  }
  return `${table.toString()}\nFaults tried: ${entries.length}, survived: ${count(entries)}.`;
}

function count(entries: readonly Entry[]): number {
  return entries.filter(({ complaints }) => complaints.length === 0).length;
}

function keyOf({ fault, subject }: Entry): string {
  return `${fault}\n${subject}`;
}
