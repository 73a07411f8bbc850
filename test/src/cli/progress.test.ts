import { expect, it } from 'vitest';
import { createProgress } from '../../../src/cli/progress.ts';

function watch(isTTY: boolean, stepMs: number): string[] {
  const written: string[] = [];
  let time = 0;
  const progress = createProgress(
    'Checked',
    20,
    { isTTY, write: (text) => written.push(text) },
    () => time,
  );
  for (let file = 0; file < 20; file += 1) {
    time += stepMs;
    progress.step();
  }
  progress.end();
  return written;
}

it('long work counts up on a terminal and leaves no trace', () => {
  const written = watch(true, 50);
  expect(written[0]).toContain('Checked 14 of 20 files');
  expect(written.at(-1)).toBe('\r\u001B[2K');
});

it('short work shows nothing', () => {
  expect(watch(true, 1)).toEqual([]);
});

it('a file or a pipe gets nothing', () => {
  expect(watch(false, 1000)).toEqual([]);
});
