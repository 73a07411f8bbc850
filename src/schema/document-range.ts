import * as v from 'valibot';
import { whole, type OutputOf } from './fields.ts';

const position = v.object({
  line: whole(0, Number.MAX_SAFE_INTEGER),
  character: whole(0, Number.MAX_SAFE_INTEGER),
});
/** A place in a document, counted from 0. */
export const PlainRange = v.object({ start: position, end: position });
export type PlainRange = OutputOf<typeof PlainRange>;
