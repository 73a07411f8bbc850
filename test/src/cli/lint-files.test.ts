import { expect, it } from 'vitest';
import { lintFiles } from '../../../src/cli/lint-files.ts';
import { createLinter } from '../../../src/lint/linter.ts';
import { createTinyPlugin } from '../../support/tiny-plugin.ts';

it('a file that cannot be read is a problem of its own, and the rest is checked', async () => {
  let done = 0;
  const lint = createLinter(createTinyPlugin(), { cwd: import.meta.dirname });
  const linted = await lintFiles(
    [import.meta.dirname, import.meta.filename],
    lint,
    () => {
      done += 1;
    },
    new AbortController().signal,
  );
  expect(linted.map(({ problems }) => problems.map(({ message }) => message))).toEqual([
    ['The file cannot be read: EISDIR.'],
    [],
  ]);
  expect(done).toBe(2);
});

it('nothing more is checked once stopped', async () => {
  const stopper = new AbortController();
  const lint = createLinter(createTinyPlugin(), { cwd: import.meta.dirname });
  const linted = await lintFiles(
    Array.from({ length: 5 }, () => import.meta.filename),
    lint,
    () => {
      stopper.abort();
    },
    stopper.signal,
  );
  expect(linted).toHaveLength(1);
});
