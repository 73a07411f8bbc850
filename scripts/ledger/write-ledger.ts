import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { inThreads } from '../../src/lint/in-threads.ts';
import { idOf, type Sample } from './sample.ts';

/** Reads one sample after the other. */
export interface SampleReader {
  read(sample: Sample): Promise<readonly string[]>;
  end(): Promise<void>;
}

export interface LedgerRun {
  readonly file: string;
  readonly samples: readonly Sample[];
  /** What a stopped run has found counts for the same rules only: tells these apart. */
  readonly code: string;
  readonly readers: readonly SampleReader[];
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, all: number) => void;
}

/** What a sample came to, as it is kept until the ledger is whole. */
interface Kept {
  readonly code: string;
  readonly id: string;
  readonly lines: readonly string[];
}

/** Writes what is said of all samples, sorted. A run that `signal` ended is continued by the next one with the same file. */
export async function writeLedger(run: LedgerRun): Promise<void> {
  const { samples, readers, signal, onProgress } = run;
  const partial = `${run.file}.partial`;
  const known = readPartial(partial, run.code);
  const wanted = new Map(samples.map((sample) => [idOf(sample), sample]));
  const open = [...wanted].filter(([id]) => !known.has(id));
  const descriptor = openSync(partial, known.size === 0 ? 'w' : 'a');
  try {
    await inThreads(
      open,
      readers,
      (reader, [, sample]) => reader.read(sample),
      (index, lines) => {
        const id = open[index]?.[0] ?? '';
        known.set(id, lines);
        writeSync(descriptor, `${JSON.stringify({ code: run.code, id, lines } satisfies Kept)}\n`);
        onProgress(known.size, wanted.size);
      },
      signal,
    );
  } finally {
    closeSync(descriptor);
  }
  signal.throwIfAborted();
  writeSorted(
    run.file,
    [...wanted.keys()].flatMap((id) => known.get(id) ?? []),
  );
  rmSync(partial);
}

function readPartial(partial: string, code: string): Map<string, readonly string[]> {
  const lines = existsSync(partial) ? readFileSync(partial, 'utf8').split('\n') : [];
  // The last line may have been cut short.
  const kept = lines.slice(0, -1).map((line) => JSON.parse(line) as Kept);
  return new Map(
    kept.flatMap((each) => (each.code === code ? [[each.id, each.lines] as const] : [])),
  );
}

function writeSorted(file: string, lines: readonly string[]): void {
  const unfinished = `${file}.unfinished`;
  const descriptor = openSync(unfinished, 'w');
  try {
    for (const line of lines.toSorted()) writeSync(descriptor, `${line}\n`);
  } finally {
    closeSync(descriptor);
  }
  renameSync(unfinished, file);
}
