import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { lintFiles, threadsFor, type Checking } from '../../../../src/cli/lint/lint-files.ts';
import { poolguard } from '../../../../src/lint/analyser.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';
import { rulesOf } from '../../../support/rules-of.ts';
import { createTinyAnalyser } from '../../../support/tiny-analyser.ts';

const checking = (signal = new AbortController().signal): Checking => ({
  loadCheck: rulesOf(createTinyAnalyser()).loadCheck,
  settings: { cwd: import.meta.dirname, isNoting: false },
  concurrency: 'auto',
  bundle: undefined,
  signal,
});

it('a file that cannot be read is a problem of its own, and the rest is checked', async () => {
  let done = 0;
  const linted = await lintFiles([import.meta.dirname, import.meta.filename], checking(), () => {
    done += 1;
  });
  expect(linted.map(({ problems }) => problems.map(({ message }) => message))).toEqual([
    ['The file was not checked: it is a pipe, a device or a folder, or a link to one.'],
    [],
  ]);
  expect(done).toBe(2);
});

it('a file of millions of characters is not checked, with a warning, where it could reach a pool', async () => {
  await using folder = await createTemporaryFolder();
  const filler = `// ${'x'.repeat(2_000_000)}\n`;
  const [bundle, data] = [join(folder.path, 'bundle.js'), join(folder.path, 'data.js')];
  await writeFile(bundle, `${filler}const { Pool } = require('pg');\n`);
  await writeFile(data, `${filler}module.exports = [];\n`);
  const linted = await lintFiles(
    [bundle, data],
    {
      ...checking(),
      loadCheck: rulesOf(poolguard).loadCheck,
      settings: { cwd: folder.path, isNoting: false },
    },
    () => undefined,
  );
  expect(linted.map(({ problems }) => problems)).toEqual([
    [
      expect.objectContaining({
        severity: 'warning',
        message:
          'The file was not checked: it has more than 2,000,000 characters. Exclude it if it is generated.',
      }),
    ],
    [],
  ]);
});

it('nothing more is checked once stopped', async () => {
  const stopper = new AbortController();
  const linted = await lintFiles(
    Array.from({ length: 5 }, () => import.meta.filename),
    checking(stopper.signal),
    () => {
      stopper.abort();
    },
  );
  expect(linted).toHaveLength(1);
});

it('threads are as many as was said, and never more than files', () => {
  expect([threadsFor(5, 'off'), threadsFor(5, 2), threadsFor(5, 9)]).toEqual([0, 2, 5]);
});

it('auto starts a thread for two cores where there is work for all, and none for a few files', () => {
  const half = Math.floor(availableParallelism() / 2);
  expect(threadsFor(3, 'auto')).toBe(0);
  expect(threadsFor(100_000, 'auto')).toBe(half < 2 ? 0 : half);
});
