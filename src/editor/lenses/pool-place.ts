import * as v from 'valibot';
import { PlainRange } from '../../schema/document-range.ts';
import { text, type OutputOf } from '../../schema/fields.ts';

/** A pool, as commands get it. */
const PoolPlace = v.object({ uri: text, range: PlainRange });
export type PoolPlace = OutputOf<typeof PoolPlace>;
type PlainPosition = PlainRange['start'];

/** The arguments of a command come from anywhere: a place, or undefined. Whether a pool is there is another question. */
export function readPoolPlace(uri: unknown, range: unknown): PoolPlace | undefined {
  const read = v.safeParse(PoolPlace, { uri, range });
  return read.success ? read.output : undefined;
}

export function isSameRange(one: PlainRange, other: PlainRange): boolean {
  return isSame(one.start, other.start) && isSame(one.end, other.end);
}

export function holds({ start, end }: PlainRange, position: PlainPosition): boolean {
  return !isBefore(position, start) && !isBefore(end, position);
}

function isSame(one: PlainPosition, other: PlainPosition): boolean {
  return one.line === other.line && one.character === other.character;
}

function isBefore(one: PlainPosition, other: PlainPosition): boolean {
  return one.line < other.line || (one.line === other.line && one.character < other.character);
}
