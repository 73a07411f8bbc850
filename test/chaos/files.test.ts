import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openArena, type Arena } from './support/arena.ts';
import { startChaosServer, type ChaosServer } from './support/chaos-server.ts';
import { note } from './support/ledger.ts';
import { cliPath, startProgram } from './support/subject.ts';

let server: ChaosServer;

beforeAll(async () => {
  server = await startChaosServer(100);
});

afterAll(() => server[Symbol.asyncDispose]());

const leak =
  "import pg from 'pg';\nconst pool = new pg.Pool();\nexport async function load() {\n  const client = await pool.connect();\n  await client.query('SELECT 1');\n}\n";
const brief = ['--yes', '--sql', 'SELECT 1'] as const;

/** What writes a file, the option last. */
const writers: Readonly<Record<string, readonly string[]>> = {
  probe: [
    'probe',
    ...brief,
    '--max',
    '2',
    '--seconds',
    '5',
    '--no-validate',
    '--format',
    'json',
    '--output',
  ],
  'probe ramp': [
    'probe',
    'ramp',
    ...brief,
    '--sizes',
    '2',
    '--rates',
    '50',
    '--seconds',
    '5',
    '--format',
    'json',
    '--output',
  ],
  'probe connect': [
    'probe',
    'connect',
    '--yes',
    '--times',
    '5',
    '--concurrent',
    '2',
    '--format',
    'html',
    '--output',
  ],
  lint: ['lint', 'src', '--format', 'sarif', '--output-file'],
};

/** Runs `command` in a mount namespace of its own, where `out` is a file system that has no room; then what lies in `out` is listed. */
const inFullFolder = [
  'unshare',
  '-rm',
  'sh',
  '-c',
  'mount -t tmpfs -o size=4k tmpfs out && head -c 4096 /dev/zero >out/full; "$@"; code=$?; ls -A out >listed; exit $code',
  'sh',
];
/** The folder becomes read-only as soon as a line is written into `turn`, a named pipe. */
const inReadOnlyFolder = [
  'unshare',
  '-rm',
  'sh',
  '-c',
  'mount -t tmpfs tmpfs out; (read -r _ <turn; mount -o remount,ro out) & "$@"; code=$?; ls -A out >listed; exit $code',
  'sh',
];

/** Where containers may not mount, the device that has never room is the only full disk. */
function mayMount(): boolean {
  try {
    execFileSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

interface Trouble {
  readonly target: string;
  readonly wrapper: readonly string[];
  /** While the command runs. */
  readonly strike: (arena: Arena) => Promise<void>;
}

const still = () => Promise.resolve();
const device: Trouble = { target: '/dev/full', wrapper: [], strike: still };
const troubles: Readonly<Record<string, Trouble>> = {
  'the disk is full': mayMount()
    ? { target: 'out/report', wrapper: inFullFolder, strike: still }
    : device,
  'a device without room': device,
  'the folder becomes read-only': mayMount()
    ? {
        target: 'out/report',
        wrapper: inReadOnlyFolder,
        strike: ({ folder }) => writeFile(join(folder, 'turn'), '\n'),
      }
    : device,
  'the folder vanishes': {
    target: 'out/report',
    wrapper: [],
    strike: ({ folder }) => rm(join(folder, 'out'), { recursive: true }),
  },
};

const rows = Object.keys(troubles).flatMap((trouble) =>
  Object.keys(writers).map((writer) => [trouble, writer] as const),
);

describe.concurrent('a report that cannot be written is told, and nothing of it is left', () => {
  test.each(rows)('%s × %s', async (name, writer) => {
    const { target, wrapper, strike } = troubles[name] ?? device;
    await using arena = await openArena(server, 'server');
    await Promise.all(['out', 'src'].map((folder) => mkdir(join(arena.folder, folder))));
    execFileSync('sh', ['-c', 'mkfifo turn && cat >src/load.ts'], {
      cwd: arena.folder,
      input: leak,
    });
    const running = startProgram(
      {
        args: [cliPath, ...(writers[writer] ?? []), target],
        environment: { DATABASE_URL: arena.url },
        wrapper,
      },
      arena,
    );
    // A probe has seen the folder by the time it says something; a lint says nothing until it is done.
    if (strike !== still && writer !== 'lint')
      await Promise.race([
        new Promise((resolve) => running.child.stderr?.once('data', resolve)),
        running.ended,
      ]);
    await strike(arena);
    const exit = await running.ended;
    const listed = (await readFile(join(arena.folder, 'listed'), 'utf8').catch(() => ''))
      .split('\n')
      .filter((file) => !['', 'full'].includes(file));
    const left = (await arena.leftFiles()).filter(
      (path) => !['listed', 'turn', 'src/load.ts'].includes(path),
    );
    // A lint may be done before the folder changes; then its report is whole.
    const isDone = exit.code !== 2 && writer === 'lint' && listed.length + left.length === 1;
    const complaints = isDone
      ? []
      : [
          ...running.complaints(exit, {}),
          ...(exit.code === 2
            ? []
            : [`exit code ${exit.code} in spite of it: ${running.stderr().slice(-300)}`]),
          ...[...listed, ...left].map((file) => `a file: ${file}`),
          ...arena.processes().map(({ command }) => `a process: ${command}`),
        ];
    note({ fault: name, subject: `${writer} --output`, complaints, cleanMs: 0 });
    expect(complaints).toEqual([]);
  });
});
