/** A place in a document, counted from 0, as commands get it. */
export interface PoolPlace {
  readonly uri: string;
  readonly range: PlainRange;
}

export interface PlainRange {
  readonly start: PlainPosition;
  readonly end: PlainPosition;
}

interface PlainPosition {
  readonly line: number;
  readonly character: number;
}

/** The arguments of a command come from anywhere: a place, or undefined. Whether a pool is there is another question. */
export function readPoolPlace(uri: unknown, range: unknown): PoolPlace | undefined {
  if (typeof uri !== 'string' || !isRecord(range)) return undefined;
  const start = readPosition(range['start']);
  const end = readPosition(range['end']);
  return start && end && { uri, range: { start, end } };
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

function readPosition(value: unknown): PlainPosition | undefined {
  if (!isRecord(value)) return undefined;
  const { line, character } = value;
  return isIndex(line) && isIndex(character) ? { line, character } : undefined;
}

function isIndex(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
