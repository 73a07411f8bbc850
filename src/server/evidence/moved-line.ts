/**
 * Where a line of one text is in a later one: before the first line that differs and after the last one lines are the same.
 * Undefined in between, where nobody can tell. Lines count from 1.
 */
export function movedLine(before: string, after: string, line: number): number | undefined {
  if (before === after) return line;
  const [old, now] = [before.split('\n'), after.split('\n')];
  const least = Math.min(old.length, now.length);
  let same = 0;
  while (same < least && old[same] === now[same]) same += 1;
  if (line <= same) return line;
  let sameAtEnd = 0;
  while (sameAtEnd < least - same && old.at(-1 - sameAtEnd) === now.at(-1 - sameAtEnd))
    sameAtEnd += 1;
  return line > old.length - sameAtEnd && line <= old.length
    ? line + now.length - old.length
    : undefined;
}
