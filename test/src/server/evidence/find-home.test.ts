import { expect, it } from 'vitest';
import { callAt } from '../../../../src/server/evidence/find-home.ts';
import { movedLine } from '../../../../src/server/evidence/find-home.ts';

const before = 'a\nb\nc\nd\ne';

it.each([
  ['the same text', before, 3, 3],
  ['a line added above', 'x\na\nb\nc\nd\ne', 3, 4],
  ['a line added below', 'a\nb\nc\nx\nd\ne', 3, 3],
  ['a line taken away above', 'b\nc\nd\ne', 3, 2],
  ['another line in its place', 'a\nb\nx\nd\ne', 3, undefined],
  ['edits on both sides', 'x\na\nb\nc\nd\nx\ne', 3, undefined],
  ['itself taken away', 'a\nb\nd\ne', 3, undefined],
  ['all taken away', '', 3, undefined],
  ['the same line twice: the one that stood there', 'a\nb\nc\nc\nd\ne', 3, 3],
  ['a line that never was, in the same text', before, 9, 9],
  ['a line that never was, in another text', 'x\na\nb\nc\nd\ne', 9, undefined],
])('a line is found after %s', (_, after, line, moved) => {
  expect(movedLine(before, after, line)).toBe(moved);
});

it.each([
  ['  const client = await pool.connect();', 29, 36],
  ['  const client = await pool.connect();', 24, 36],
  ['  const client = await pool.connect();', 18, 36],
  ['  await this.#pool.connect<X>(1)', 9, 27],
  ['  await db?.pool!.connect?.()', 9, 26],
  ['  const client = await pool.connect();', 30, undefined],
  ['  const client = await pool.connect();', 9, undefined],
  ['  const client = await pool.connect();', 37, undefined],
  ['  const client = await pool.connect();', 900, undefined],
  ['// await pool.connect', 4, undefined],
  ['', 1, undefined],
  [`${'a.'.repeat(50_000)}a`, 1, undefined],
])('a call stands in %o at %i, or not', (line, column, endColumn) => {
  expect(callAt(line, column)?.endColumn).toBe(endColumn);
});
