/** Where a call stands in what a sample opens: `['lends', 'begin']`. */
export type CallPath = readonly [part: string, name?: string];

/** The inner handle of a call that is under way in the other process, by the number of that call. */
export interface InnerOf {
  readonly innerOf: number;
}

/** Node asks for a call, or has done what a callback is for. */
export type ToBun =
  | { readonly call: number; readonly path: CallPath; readonly args: readonly unknown[] }
  | { readonly worked: number; readonly error: string | null };

/** Bun has a handle for a callback, or the call has settled. */
export type ToNode =
  | { readonly lent: number }
  | { readonly settled: number; readonly error: string | null; readonly value: unknown };

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
