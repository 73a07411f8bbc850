import type { Sample } from './sample.ts';

/** A line of the ledger. */
export type Entry = SampleEntry | Finding | Verdict | Trouble;

/** What was linted, so that a comparison can show it and another run can lint it again. */
export interface SampleEntry extends Sample {
  readonly sample: string;
  readonly kind: 'sample';
}

interface InFile {
  /** The id of the sample. */
  readonly sample: string;
  readonly file: string;
}

interface AtPlace extends InFile {
  /** `12:3-12:20`; lines and columns from 1. */
  readonly place: string;
  /** The line of code on which it begins. */
  readonly code: string;
}

export interface Finding extends AtPlace {
  readonly kind: 'finding';
  readonly rule: string;
  readonly message: string;
  readonly path: readonly string[];
  readonly suggestions: readonly string[];
}

/** What the analysis made of an acquire. */
export interface Verdict extends AtPlace {
  readonly kind: 'verdict';
  readonly verdict: string;
  readonly reason: string;
}

/** Why nothing is known of a file. */
export interface Trouble extends InFile {
  readonly kind: 'trouble';
  readonly message: string;
}
