/** A place in a source file, 1-based lines and 0-based columns as in ESTree. */
export interface Place {
  readonly start: { readonly line: number; readonly column: number };
  readonly end: { readonly line: number; readonly column: number };
}
