import type { Stopwatch } from './stopwatch.ts';

/** What every benchmark needs. */
export interface Bench {
  readonly stopwatch: Stopwatch;
  /** How often each thing is measured. */
  readonly rounds: number;
  /** The most files read of one project. */
  readonly files: number;
  /** Below 1 the generated code is smaller. */
  readonly scale: number;
  /** A folder to write generated files into. */
  readonly scratch: string;
  /** Bytes in use after a full collection. */
  readonly heapUsed: () => number;
  /** A bare git repository of the nearest other plugin, in place of the registry. */
  readonly neighbour: string | undefined;
  readonly progress: (text: string) => void;
  /** What could not be measured, and why. */
  readonly warn: (sentence: string) => void;
}
