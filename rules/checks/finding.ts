import type { Suggestion } from '../fixes/suggestion.ts';
import type { Place } from '../syntax/place.ts';

/** One station on the way to the harm: where the client was acquired, what it was held through, where control leaves. */
export interface PathStep {
  readonly place: Place;
  /** A whole sentence, for example "The client is acquired here." */
  readonly text: string;
  /** Absolute path when the step lies in another file than the finding. */
  readonly file?: string;
}

/** What the analysis tells a rule, and what outlives the rule's message: the path. */
export interface Finding {
  readonly rule: string;
  readonly messageId: string;
  readonly data: Readonly<Record<string, string>>;
  readonly place: Place;
  readonly steps: readonly PathStep[];
  /** How an option may name what this is about: functions as they are written, packages and their members. */
  readonly names?: readonly string[];
  /** Of a file that test runners take for a test. */
  readonly isInTest?: boolean;
  readonly suggestions?: readonly Suggestion[];
}
