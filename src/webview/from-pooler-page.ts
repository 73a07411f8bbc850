import * as v from 'valibot';
import type { OutputOf } from '../schema/fields.ts';

const FromPoolerPage = v.object({ kind: v.picklist(['ready', 'connect', 'retry', 'role']) });
export type FromPoolerPage = OutputOf<typeof FromPoolerPage>;

/** A page runs in a browser that shows hostile text, so that nothing it sends is taken on trust: the message, or undefined when it is none of ours. */
export function parseFromPoolerPage(value: unknown): FromPoolerPage | undefined {
  const read = v.safeParse(FromPoolerPage, value);
  return read.success ? read.output : undefined;
}
