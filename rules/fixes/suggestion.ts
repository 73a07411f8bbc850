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
