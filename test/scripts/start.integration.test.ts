import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isRunning } from '../support/is-running.ts';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);
let temporary: string;

type Tour = ChildProcessByStdio<null, Readable, Readable>;

/** A temporary folder of this test's own, so that what stays behind is seen. */
beforeEach(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'poolguard-start-'));
  // PostgreSQL's own user must be able to enter it when the tests run as root.
  await chmod(temporary, 0o755);
});

afterEach(() => rm(temporary, { recursive: true, force: true }));

function startTour(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Tour {
  return spawn(process.execPath, ['dist/start.js', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', TMPDIR: temporary, ...environment },
  });
}

function printed(tour: Tour, text: string): Promise<void> {
  let seen = '';
  return new Promise((resolve, reject) => {
    tour.stdout.on('data', (chunk) => {
      seen += String(chunk);
      if (seen.includes(text)) resolve();
    });
    tour.once('exit', () =>
      reject(new Error(`The tour ended before it printed "${text}": ${seen}`)),
    );
  });
}

/** The processes below `ancestor`, whatever group they belong to. */
async function descendantsOf(ancestor: number): Promise<readonly number[]> {
  const pairs = process.platform === 'linux' ? await readProc() : await readPs();
  const below = (parent: number): number[] =>
    pairs.filter(([, ppid]) => ppid === parent).flatMap(([pid = 0]) => [pid, ...below(pid)]);
  return below(ancestor);
}

/** Process and parent ids; slim Linux images have no `ps`. */
async function readProc(): Promise<readonly (readonly number[])[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')),
  );
  // The second field is the program's name in parentheses, which may hold anything.
  return stats
    .filter((stat) => stat !== '')
    .map((stat) => [parseInt(stat), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])]);
}

async function readPs(): Promise<readonly (readonly number[])[]> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=']);
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
}

describe('a tour that is ended in the middle leaves no process and no folder behind', () => {
  test.each([
    { signal: 'SIGKILL', code: null },
    { signal: 'SIGINT', code: 130 },
    { signal: 'SIGTERM', code: 143 },
  ] as const)('$signal', async ({ signal, code }) => {
    const tour = startTour(['--seconds', '60', '--out', join(temporary, 'report.html')]);
    await printed(tour, 'Send it the requests');
    const processes = await descendantsOf(tour.pid ?? 0);
    // At least the keeper, PostgreSQL with its background processes, and the service.
    expect(processes.length).toBeGreaterThan(4);
    tour.kill(signal);
    const [exitCode] = (await once(tour, 'exit')) as [number | null];
    expect(exitCode).toBe(code);
    await expect.poll(() => processes.filter(isRunning)).toEqual([]);
    await expect.poll(() => readdir(temporary)).toEqual([]);
  });
});

test('a whole tour ends with a report, and leaves nothing else', { timeout: 120_000 }, async () => {
  const tour = startTour(['--seconds', '2', '--out', join(temporary, 'report.html')]);
  const [out, errors] = await Promise.all([
    text(tour.stdout),
    text(tour.stderr),
    once(tour, 'close'),
  ]);
  expect({ code: tour.exitCode, errors }).toEqual({ code: 0, errors: '' });
  expect(out).toContain(`The report: ${join(temporary, 'report.html')}`);
  const page = await readFile(join(temporary, 'report.html'), 'utf8');
  expect(page.match(/<h2>[^<]+/gu)).toEqual([
    '<h2>Findings',
    '<h2>Sessions while the load ran',
    '<h2>Under load, side by side',
    '<h2>Pool size',
  ]);
  expect(await readdir(temporary)).toEqual(['report.html']);
});

test('a step that cannot run is said in a sentence, with exit code 2', async () => {
  const tour = startTour([], { TMPDIR: join(temporary, 'missing') });
  tour.stdout.resume();
  const [errors] = await Promise.all([text(tour.stderr), once(tour, 'close')]);
  expect(tour.exitCode).toBe(2);
  expect(errors).toMatch(/^npm start could not finish: The embedded PostgreSQL did not start.*\n$/);
});

test('an option that makes no sense is explained, with exit code 2', async () => {
  const tour = startTour(['--seconds', 'many']);
  const [errors] = await Promise.all([text(tour.stderr), once(tour, 'close')]);
  expect([tour.exitCode, errors]).toEqual([
    2,
    "error: option '--seconds <number>' argument 'many' is invalid. Write a whole number of seconds from 2 to 300.\n",
  ]);
});
