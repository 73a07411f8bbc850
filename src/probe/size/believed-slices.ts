import type { SizeResult } from './size-result.ts';
import type { Slice } from './slice.ts';

/** Whether the curve of a result rests on that slice: on all where the statement mostly waits, on the quiet ones else (`noise-gate.ts`). */
export function believes({ sizes }: Pick<SizeResult, 'sizes'>, { quiet }: Slice): boolean {
  return quiet || sizes.every(({ acceptedSlices, slices }) => acceptedSlices === slices);
}
