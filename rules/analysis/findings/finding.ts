/** A place in a source file, 1-based lines and 0-based columns as in ESTree. */
export interface Place {
  readonly start: { readonly line: number; readonly column: number };
  readonly end: { readonly line: number; readonly column: number };
}

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
  readonly suggestions?: readonly Suggestion[];
}

/** A change that is safe to offer, made of edits that do not touch each other. Its message is one of the rule's. */
export interface Suggestion {
  readonly messageId: string;
  readonly data: Readonly<Record<string, string>>;
  readonly edits: readonly Edit[];
}

/** `text` takes the place of what stands between two offsets of the file; equal offsets insert. */
export interface Edit {
  readonly range: readonly [start: number, end: number];
  readonly text: string;
}
