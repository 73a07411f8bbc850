import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { inThreads } from '../../../src/lint/in-threads.ts';
import { createLintThread } from '../../../src/lint/lint-thread.ts';
import { nothingFound } from '../../../src/lint/thread-messages.ts';

const folder = mkdtempSync(join(tmpdir(), 'poolguard-thread-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Stands for the server's bundle: dies of a file that is too much for anybody, and of one that is too much after others. */
const bundle = join(folder, 'thread.cjs');
writeFileSync(
  bundle,
  `const { parentPort } = require('node:worker_threads');
let answered = 0;
parentPort.on('message', ({ path }) => {
  if (path === '/too-much' || (path === '/much' && answered > 0)) process.exit(1);
  parentPort.postMessage({ problems: [{ message: path + ' ' + ++answered }] });
});
`,
);

async function lintAll(...paths: readonly string[]): Promise<readonly string[]> {
  const thread = createLintThread(bundle, { open: new Map() });
  const messages: string[] = [];
  for (const path of paths)
    messages.push(
      (await thread.lint({ path, settings: {} })).problems.map(({ message }) => message).join() ||
        'none',
    );
  await thread.end();
  return messages;
}

test('a file that is too much for a thread after others is linted by a new one', async () => {
  expect(await lintAll('/a', '/b', '/much', '/c')).toEqual(['/a 1', '/b 2', '/much 1', '/c 2']);
});

test('a file that is too much for anybody has no problems, and the next has its own', async () => {
  expect(await lintAll('/too-much', '/a', '/too-much', '/b')).toEqual([
    'none',
    '/a 1',
    'none',
    '/b 1',
  ]);
});

test('a question that is open when the thread is ended has no problems', async () => {
  const thread = createLintThread(bundle, { open: new Map() });
  const asked = thread.lint({ path: '/a', settings: {} });
  await thread.end();
  expect(await asked).toEqual(nothingFound);
});

test('no file is left out when threads die of one, and each is checked once', async () => {
  const paths = ['/a', '/b', '/too-much', '/c', '/d', '/e'];
  const threads = [1, 2].map(() => createLintThread(bundle, { open: new Map() }, 'foreground'));
  const said = new Map<number, string>();
  await inThreads(
    paths,
    threads,
    (thread, path) => thread.check(path),
    (index, checked) => {
      expect(said.has(index)).toBe(false);
      const [{ message = '' } = {}] = checked.problems;
      said.set(index, message.startsWith('/') ? 'checked' : message);
    },
    new AbortController().signal,
  );
  expect(paths.map((_, index) => said.get(index))).toEqual([
    'checked',
    'checked',
    expect.stringMatching(/^The file was not checked: its worker thread .* ran out of memory\.$/u),
    'checked',
    'checked',
    'checked',
  ]);
});

test('threads end at once when the run is stopped', async () => {
  const stopper = new AbortController();
  const threads = [createLintThread(bundle, { open: new Map() }, 'foreground')];
  const done: number[] = [];
  await inThreads(
    ['/a', '/b', '/c'],
    threads,
    (thread, path) => thread.check(path),
    (index) => {
      done.push(index);
      stopper.abort();
    },
    stopper.signal,
  );
  expect(done).toEqual([0]);
});
