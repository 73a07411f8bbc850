import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createHeapNotes } from '../../../scripts/soak/heap-notes.ts';
import { countFiles, descriptorsOf, processesWith } from '../../../scripts/soak/seen-processes.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';

const preload = join(import.meta.dirname, '../../../scripts/soak/heap-note.mjs');
/** Keeps some 32 MB when it is told to, in the main thread and in another one, and opens a file. */
const hoarder = `
  const { Worker } = require('node:worker_threads');
  const kept = [];
  const hoard = () => { for (let n = 0; n < 32; n++) kept.push(Array.from({ length: 131072 }, () => n)); };
  process.stdin.once('data', () => {
    hoard();
    require('node:fs').openSync(process.execPath, 'r');
    new Worker(process.env.THREAD);
  });
`;
const thread =
  'const kept = Array.from({ length: 32 }, (_, n) => Array.from({ length: 131072 }, () => n)); setInterval(() => kept.length, 1000);';

test('a process that keeps memory is seen to, its threads included, and so are its descriptors', async () => {
  await using folder = await createTemporaryFolder({ 'thread.cjs': thread });
  const notes = createHeapNotes(join(folder.path, 'notes'), preload, 200);
  const child = spawn(process.execPath, [...notes.execArgv, '-e', hoarder], {
    env: { ...process.env, ...notes.variables, THREAD: join(folder.path, 'thread.cjs') },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const exited = once(child, 'exit');
  const processId = child.pid ?? 0;
  try {
    await expect.poll(() => notes.heapOf(processId)).toBeLessThan(20);
    const [variable = '', value = ''] = Object.entries(notes.variables)[0] ?? [];
    expect(await processesWith(variable, value)).toEqual([processId]);
    const descriptors = await descriptorsOf(processId);
    child.stdin.write('go');
    await expect.poll(() => notes.heapOf(processId)).toBeGreaterThan(60);
    expect(await descriptorsOf(processId)).toBeGreaterThan(descriptors);
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
  expect(await descriptorsOf(processId)).toBeNaN();
});

test('a process that notes nothing has an unknown heap', async () => {
  await using folder = await createTemporaryFolder();
  expect(
    await createHeapNotes(join(folder.path, 'notes'), preload, 200).heapOf(process.pid),
  ).toBeNaN();
});

test('files are counted wherever they lie below a folder', async () => {
  await using folder = await createTemporaryFolder({ 'a/b/c': '' });
  expect(await countFiles(folder.path)).toBe(3);
  expect(await countFiles(join(folder.path, 'gone'))).toBe(0);
});
