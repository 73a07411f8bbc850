import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Entry, Finding, Verdict } from '../../../scripts/ledger/entry.ts';
import { runLedger } from '../../../scripts/ledger/ledger-command.ts';
import { readSample } from '../../../scripts/ledger/read-sample.ts';
import { idOf, type Sample } from '../../../scripts/ledger/sample.ts';
import type { SampleReader } from '../../../scripts/ledger/write-ledger.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts';

const leaks: Sample = {
  name: 'leaks',
  lint: ['users.ts'],
  files: {
    'db.ts': "import { Pool } from 'pg';\nexport const pool = new Pool();\n",
    'users.ts':
      "import { pool } from './db.ts';\nexport async function find() {\n  const client = await pool.connect();\n  await client.query('x');\n  client.release();\n}\n",
  },
};
const releases: Sample = {
  name: 'releases',
  lint: ['sample.js'],
  files: {
    'sample.js':
      "import { Pool } from 'pg';\nconst pool = new Pool();\nexport async function find() {\n  const client = await pool.connect();\n  try { await client.query('x'); await client.query('y'); } finally { client.release(); }\n}\n",
  },
};
const broken: Sample = { name: 'broken', lint: ['a.js'], files: { 'a.js': 'const = 1;' } };
const samples = [leaks, releases, broken];

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await createTemporaryFolder();
  await writeSamples('samples', samples);
  await run(['--samples', 'samples', '--out', 'ledger']);
});
afterAll(() => folder[Symbol.asyncDispose]());

function inThisThread(): SampleReader {
  return {
    read: (sample) => Promise.resolve(readSample(sample, '')),
    end: () => Promise.resolve(),
  };
}

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(
  args: readonly string[],
  startReader = inThisThread,
  signal = new AbortController().signal,
): Promise<Ran> {
  const written = { stdout: '', stderr: '' };
  const code = await runLedger(args, {
    root: folder.path,
    cwd: folder.path,
    cache: folder.path,
    stdout: { write: (text) => (written.stdout += text) },
    stderr: { write: (text) => (written.stderr += text) },
    code: 'these rules',
    startReader,
    signal,
  });
  return { code, ...written };
}

function writeSamples(name: string, all: readonly Sample[]): Promise<void> {
  return writeEntries(
    name,
    all.map((sample) => ({ sample: idOf(sample), kind: 'sample', ...sample })),
  );
}

async function entriesIn(name: string): Promise<readonly Entry[]> {
  const text = await readFile(join(folder.path, name), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Entry);
}

async function writeEntries(name: string, entries: readonly Entry[]): Promise<void> {
  const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`);
  await writeFile(join(folder.path, name), lines.join(''));
}

/** What is printed where one ledger has findings and verdicts changed or left out. */
async function comparedWith(change: (entry: Finding | Verdict) => Entry | undefined): Promise<Ran> {
  const changed = (await entriesIn('ledger')).flatMap((entry) =>
    entry.kind === 'finding' || entry.kind === 'verdict' ? (change(entry) ?? []) : [entry],
  );
  await writeEntries('changed', changed);
  return run(['--compare', 'ledger', 'changed']);
}

test('has each finding with its path, each verdict, and why a file is not known', async () => {
  const entries = await entriesIn('ledger');
  expect(entries.filter(({ kind }) => kind !== 'sample')).toEqual([
    expect.objectContaining({ kind: 'trouble', file: 'a.js' }),
    expect.objectContaining({
      kind: 'finding',
      rule: 'no-unreleased-client',
      file: 'users.ts',
      place: '3:24-3:38',
      code: 'const client = await pool.connect();',
      path: ['3:24-3:38 A client is checked out of pool.', expect.stringMatching(/^4:3-4:26 /u)],
      suggestions: [expect.stringMatching(/^Release the client in a `finally`/u)],
    }),
    expect.objectContaining({ kind: 'verdict', file: 'users.ts', verdict: 'reported' }),
    expect.objectContaining({ kind: 'finding', rule: 'require-connection-timeout' }),
    expect.objectContaining({ kind: 'finding', rule: 'require-pool-error-handler' }),
    expect.objectContaining({ kind: 'verdict', file: 'sample.js', verdict: 'released' }),
  ]);
});

test('is the same whatever the number of threads, and from its own samples', async () => {
  await run(['--samples', 'ledger', '--out', 'again', '--threads', '3']);
  expect(await readFile(join(folder.path, 'again'), 'utf8')).toBe(
    await readFile(join(folder.path, 'ledger'), 'utf8'),
  );
  expect(await run(['--compare', 'ledger', 'again'])).toEqual({
    code: 0,
    stdout: '3 samples, 0 differences; 0 samples only in the first ledger, 0 only in the second.\n',
    stderr: '',
  });
});

test('a run that was stopped goes on where it was', async () => {
  const stopper = new AbortController();
  const read: string[] = [];
  const stopping = (after: number) => (): SampleReader => ({
    ...inThisThread(),
    read(sample) {
      read.push(sample.name);
      if (read.length > after) stopper.abort();
      return inThisThread().read(sample);
    },
  });
  const args = ['--samples', 'samples', '--out', 'stopped', '--threads', '1'];
  expect((await run(args, stopping(1), stopper.signal)).code).toBe(130);
  expect((await run(args, stopping(Infinity))).code).toBe(0);
  // The one that was read when the run ended is read once more.
  expect(read).toEqual(['leaks', 'releases', 'releases', 'broken']);
  expect((await run(['--compare', 'ledger', 'stopped'])).code).toBe(0);
});

test.each<[kind: string, says: string, change: (entry: Finding | Verdict) => Entry | undefined]>([
  [
    'no-unreleased-client: lost, 1',
    '- Connection leak:',
    (entry) => (isLeak(entry) ? undefined : entry),
  ],
  [
    'no-unreleased-client: other words, 1',
    '+ It leaks.',
    (entry) => (isLeak(entry) ? { ...entry, message: 'It leaks.' } : entry),
  ],
  [
    'no-unreleased-client: other path, 1',
    '+ 3:24 Here.',
    (entry) => (isLeak(entry) ? { ...entry, path: ['3:24 Here.'] } : entry),
  ],
  [
    'no-unreleased-client: other suggestion, 1',
    '- Release the client',
    (entry) => (isLeak(entry) ? { ...entry, suggestions: [] } : entry),
  ],
  [
    'no-unreleased-client: moved, 1',
    '+ 4:1-4:2',
    (entry) => (isLeak(entry) ? { ...entry, place: '4:1-4:2' } : entry),
  ],
  [
    'verdict: other verdict released → unknown, 1',
    '- released: on every path',
    (entry) =>
      entry.kind === 'verdict' && entry.verdict === 'released'
        ? { ...entry, verdict: 'unknown' }
        : entry,
  ],
  [
    'verdict: other reason, 1',
    '+ released: nobody knows',
    (entry) =>
      entry.kind === 'verdict' && entry.verdict === 'released'
        ? { ...entry, reason: 'nobody knows' }
        : entry,
  ],
])('a difference is called %s', async (kind, says, change) => {
  const { code, stdout } = await comparedWith(change);
  expect(code).toBe(1);
  expect(stdout.split('\n')[0]).toBe(kind);
  expect(stdout).toContain(says);
  expect(stdout).toMatch(/^ {4}>[34]\| {3}\w/mu);
  expect(stdout).toContain('3 samples, 1 differences;');
});

function isLeak(entry: Entry): entry is Finding {
  return entry.kind === 'finding' && entry.rule === 'no-unreleased-client';
}

test('what is new is told from what is lost, as JSON too', async () => {
  await writeEntries(
    'fewer',
    (await entriesIn('ledger')).filter((entry) => !isLeak(entry)),
  );
  const { code, stdout } = await run(['--compare', 'fewer', 'ledger', '--json']);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    shared: 3,
    differences: [{ rule: 'no-unreleased-client', kind: 'new', before: '', file: 'users.ts' }],
  });
});

test('samples that one ledger has are counted apart', async () => {
  const own = { ...leaks, name: 'another' };
  await writeSamples('more samples', [leaks, own]);
  await run(['--samples', 'more samples', '--out', 'more']);
  expect(await run(['--compare', 'ledger', 'more'])).toMatchObject({
    code: 0,
    stdout: '1 samples, 0 differences; 2 samples only in the first ledger, 1 only in the second.\n',
  });
});

test.each([
  [['--compare', 'ledger', 'nowhere'], /nowhere does not exist\./u],
  [['--compare', 'ledger', 'text'], /text, line 1 is not a line of a ledger\./u],
  [['--compare', 'ledger'], /--compare wants two ledgers\./u],
  [[], /Name a file with --out/u],
])('says what cannot be used in %j', async (args, sentence) => {
  await writeFile(join(folder.path, 'text'), 'no JSON\n');
  const { code, stderr } = await run(args);
  expect(code).toBe(2);
  expect(stderr).toMatch(sentence);
});
