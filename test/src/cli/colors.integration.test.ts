import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { runNodeWith } from '../../support/run-process.ts';

test.each([
  ['1', '', true],
  ['0', '', false],
  ['false', '', false],
  ['1', '1', false],
])('into a pipe FORCE_COLOR=%s with NO_COLOR=%j colours: %s', async (force, no, isColored) => {
  const { code, stdout } = await runNodeWith(
    [join(process.cwd(), 'dist/cli.js'), 'lint', import.meta.filename],
    process.cwd(),
    { FORCE_COLOR: force, NO_COLOR: no },
  );
  expect(stripVTControlCharacters(stdout)).toBe('✔ No problems, 1 file checked.\n');
  expect([code, stdout !== stripVTControlCharacters(stdout)]).toEqual([0, isColored]);
});
