/** Why the bytes between two offsets are no body of their kind of message; undefined where they are one. Takes time in proportion to their number. */
export type BodyCheck = (bytes: Buffer, start: number, end: number) => string | undefined;

const unended = 'a text in it does not end';
const excess = 'bytes are left over';
const short = 'it is too short';
const noCount = 'it has no number of columns';

export const anyBody: BodyCheck = () => undefined;

export function ofLength(length: number): BodyCheck {
  return (_bytes, start, end) =>
    end - start === length ? undefined : end - start < length ? short : excess;
}

/** A head of so many bytes, and so many texts. */
export function ofTexts(head: number, count: number): BodyCheck {
  return (bytes, start, end) => {
    let at = start + head;
    for (let text = 0; text < count; text++) {
      at = afterText(bytes, at, end);
      if (at < 0) return unended;
    }
    return at === end ? undefined : excess;
  };
}

/** The names of mechanisms; behind the last an empty one. */
export function listOfTexts(bytes: Buffer, start: number, end: number): string | undefined {
  let at = start;
  while (at < end && bytes[at] !== 0) {
    at = afterText(bytes, at, end);
    if (at < 0) return unended;
  }
  if (at >= end) return 'its list does not end';
  return at + 1 === end ? undefined : excess;
}

const messageField = 'M'.charCodeAt(0);

/** What an error or a notice says: a letter and a text each, behind the last a zero. */
export function fieldsOfError(bytes: Buffer, start: number, end: number): string | undefined {
  let hasMessage = false;
  let at = start;
  while (at < end && bytes[at] !== 0) {
    hasMessage ||= bytes[at] === messageField;
    at = afterText(bytes, at + 1, end);
    if (at < 0) return unended;
  }
  if (at >= end) return 'its fields do not end';
  if (at + 1 < end) return excess;
  return hasMessage ? undefined : 'it has no message';
}

/** Behind the name of a column: its table, number, type, size, modifier and format. */
const bytesOfColumn = 18;

export function describedColumns(bytes: Buffer, start: number, end: number): string | undefined {
  const count = countAt(bytes, start, end);
  if (count < 0) return noCount;
  let at = start + 2;
  for (let column = 0; column < count; column++) {
    at = afterText(bytes, at, end);
    if (at < 0) return unended;
    at += bytesOfColumn;
    if (at > end) return short;
    if (int16At(bytes, at - 2) !== 0) return 'a column is not text';
  }
  return at === end ? undefined : excess;
}

export function rowOfValues(bytes: Buffer, start: number, end: number): string | undefined {
  const count = countAt(bytes, start, end);
  if (count < 0) return noCount;
  let at = start + 2;
  for (let column = 0; column < count; column++) {
    if (at + 4 > end) return short;
    const length = int32At(bytes, at);
    if (length < -1) return 'a value has a negative length';
    at += 4 + Math.max(0, length);
    if (at > end) return 'a value is longer than the message';
  }
  return at === end ? undefined : excess;
}

/** Of columns; negative where the bytes begin with none. */
export function countAt(bytes: Buffer, start: number, end: number): number {
  return start + 2 > end ? -1 : int16At(bytes, start);
}

/** As `readInt16BE`, which takes several times as long to check its arguments. */
function int16At(bytes: Buffer, at: number): number {
  return (((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16)) >> 16;
}

/** As `readInt32BE`. */
export function int32At(bytes: Buffer, at: number): number {
  return (
    ((bytes[at] ?? 0) << 24) |
    ((bytes[at + 1] ?? 0) << 16) |
    ((bytes[at + 2] ?? 0) << 8) |
    (bytes[at + 3] ?? 0)
  );
}

/** Idle, in a transaction, in a failed one. */
export function transactionStatus(bytes: Buffer, start: number, end: number): string | undefined {
  const [status = 0] = bytes.subarray(start, end);
  return end - start === 1 && 'ITE'.includes(String.fromCharCode(status))
    ? undefined
    : 'it has no status of a transaction';
}

/** The offset behind a text and its zero; negative where it does not end. */
export function afterText(bytes: Buffer, start: number, end: number): number {
  for (let at = start; at < end; at++) if (bytes[at] === 0) return at + 1;
  return -1;
}
