import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Row, Spread } from './figures.ts';

/** What the last run of a part of the bench measured, as it lies in `scripts/bench/results.json`. */
export interface PartResult {
  /** A day, as 2026-01-31. */
  readonly measuredAt: string;
  /** Cores, memory, system and version of Node; no name of a machine. */
  readonly machine: string;
  /** Other programs used the processor in a second in which the bench did nothing. */
  readonly wasBusy: boolean;
  /** With `--quick`. */
  readonly isQuick: boolean;
  readonly rows: readonly Row[];
}

/** By the name of the part. */
export type Results = Readonly<Record<string, PartResult>>;

export function readResults(path: string): Results {
  const stored = JSON.parse(readFileSync(path, 'utf8')) as Results;
  return Object.fromEntries(
    Object.entries(stored).map(([name, part]) => [
      name,
      { ...part, rows: part.rows.map((row) => ({ ...row, value: fromStored(row.value) })) },
    ]),
  );
}

/** The text of the file; what could not be measured is null there. */
export function printResults(results: Results): string {
  const sorted = Object.entries(results).sort(([one], [other]) => one.localeCompare(other));
  return `${JSON.stringify(Object.fromEntries(sorted), (_key, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value), 2)}\n`;
}

function fromStored({
  median,
  low,
  high,
}: { readonly [Key in keyof Spread]: number | null }): Spread {
  return { median: median ?? Number.NaN, low: low ?? Number.NaN, high: high ?? Number.NaN };
}

/** Above this share of the cores, other work weighs on what is measured. */
const busyShare = 0.25;
const watchedMs = 1_000;

/** What a reader has to know of this machine, at this moment. Takes a second in which the process itself must do nothing. */
export async function describeRun(isQuick: boolean, now: Date): Promise<Omit<PartResult, 'rows'>> {
  const cores = availableParallelism();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return {
    measuredAt: now.toISOString().slice(0, 10),
    machine: `${cores} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${gigabytes} GB of memory, ${process.platform} ${process.arch}, Node ${process.versions.node}`,
    wasBusy: (await shareInUse()) > busyShare,
    isQuick,
  };
}

/** Of all cores, by all programs; the system's load average would still tell of what ended a minute ago. */
async function shareInUse(): Promise<number> {
  const before = coreTimes();
  await pause(watchedMs);
  const after = coreTimes();
  return 1 - (after.idle - before.idle) / (after.all - before.all);
}

function coreTimes(): { readonly idle: number; readonly all: number } {
  const times = cpus().map((core) => core.times);
  return {
    idle: times.reduce((sum, { idle }) => sum + idle, 0),
    all: times.flatMap((each) => Object.values(each)).reduce((sum, each) => sum + each, 0),
  };
}
