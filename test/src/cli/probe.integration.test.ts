import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProbeProgress } from '../../../src/cli/probe/probe-progress.ts';
import type { CliIo } from '../../../src/cli/cli-io.ts';
import { addProbeCommand } from '../../../src/cli/probe/probe.ts';
import type { SizeResult } from '../../../src/probe/result.ts';
import { runInProcess } from '../../support/cli-run.ts';
import {
  asSuperuser,
  createFreshDatabase,
  type FreshDatabase,
} from '../../support/fresh-database.ts';
import { buildProbe, type BuiltProbe } from '../../support/probe-process.ts';
import { foundTwo } from '../../support/probe-result.ts';

let database: FreshDatabase;
let built: BuiltProbe;

beforeAll(async () => {
  [database, built] = await Promise.all([createFreshDatabase(), buildProbe()]);
});

afterAll(async () => {
  await Promise.all([database.drop(), built.remove()]);
});

interface Ran {
  readonly code: number | undefined;
  readonly out: string;
  readonly err: string;
}

async function runCommand(
  args: readonly string[],
  change: Partial<CliIo> = {},
  processPath = built.quickPath,
): Promise<Ran> {
  const ran = { code: undefined as number | undefined, out: '', err: '' };
  const io: CliIo = {
    cwd: process.cwd(),
    env: {},
    stdout: { write: (text) => (ran.out += text) },
    stderr: { write: (text) => (ran.err += text) },
    isColored: false,
    now: () => performance.now(),
    signal: new AbortController().signal,
    setExitCode: (code) => (ran.code = code),
    ...change,
  };
  const program = new Command();
  addProbeCommand(program, io, processPath);
  await program.parseAsync(['probe', ...args], { from: 'user' });
  return ran;
}

test('--json prints the result of the stand-in, and progress goes to stderr line by line', async () => {
  const { code, out, err } = await runCommand(
    ['--yes', database.ownerUrl, '--max', '4', '--seconds', '5', '--json', '--no-validate'],
    {},
    built.processPath,
  );
  const result = JSON.parse(out) as SizeResult;
  // On a busy machine "too noisy" is a right answer, and has its own code.
  expect(code).toBe(result.verdict.kind === 'too-noisy' ? 1 : 0);
  expect(result).toMatchObject({
    schemaVersion: 2,
    experiment: 'size',
    cap: { size: 4 },
    validation: null,
    notes: expect.arrayContaining([expect.stringContaining('stand-in')]) as unknown,
  });
  expect(result.sizes.map(({ size }) => size)).toEqual([1, 2, 3, 4]);
  expect(err).toMatch(
    /Database: test_\w+ on \S+:\d+, as \w+\n[^]*Opens up to 5 connections, of \d+ that were free, for about \d+ s\. Ctrl-C ends the probe with what is known/,
  );
  expect(err).toMatch(/ %  [▁-█]+ {2}round 2: best so far \d(?: \(\d to \d\))?\n/);
  expect(err).not.toContain('\u001B');
});

test('Ctrl-C cancels with 130', async () => {
  const ending = new AbortController();
  let err = '';
  const stderr = {
    write: (text: string) => {
      err += text;
      if (text.includes('round 1')) ending.abort();
    },
  };
  const { code, out } = await runCommand(['--yes', database.ownerUrl, '--max', '4'], {
    signal: ending.signal,
    stderr,
  });
  expect({ code, out }).toEqual({ code: 130, out: '' });
  expect(err).toContain('Cancelled; the probe leaves no connection behind.');
});

test.each([
  ['round 1', 'It ended before', 1],
  ['round 3', '', 0],
])('Ctrl-C in %s ends with what is known', async (step, because, code) => {
  let interrupt = () => undefined as void;
  let err = '';
  const write = (text: string) => {
    err += text;
    if (text.includes(step)) interrupt();
  };
  const ran = await runCommand(
    ['--yes', database.ownerUrl, '--sql', 'SELECT pg_sleep(0.001)', '--max', '4', '--json'],
    {
      onInterrupt: (listener) => {
        interrupt = listener;
        return () => undefined;
      },
      stderr: { write },
    },
  );
  const { verdict, partial } = JSON.parse(ran.out) as SizeResult;
  expect({ code: ran.code, partial }).toEqual({
    code,
    partial: 'The probe was ended early, on request.',
  });
  expect(verdict.because).toContain(because);
  expect(err).toContain('Ending with what is known. Press Ctrl-C again to cancel.');
});

describe('the question at the terminal', () => {
  /** Presses keys as soon as somebody listens. */
  function pressing(...keys: readonly string[]): NonNullable<CliIo['onKey']> {
    return (listener) => {
      const timer = setTimeout(() => keys.forEach((key) => listener(key)), 0);
      return () => clearTimeout(timer);
    };
  }

  test.each(['n', 'q', '\u001B', '\u0003'])('%j declines, and nothing is measured', async (key) => {
    const { code, out, err } = await runCommand([database.ownerUrl, '--max', '2', '--json'], {
      onKey: pressing('\u001B[A', 'x', key, 'y'),
    });
    expect({ code, out }).toEqual({ code: 130, out: '' });
    expect(err).toMatch(
      /Opens up to 3 connections[^]*Begin\? \[Y\/n\] no\nNothing was measured; the connection of the probe is closed\.\n$/,
    );
  });

  test('Enter begins', async () => {
    const ending = new AbortController();
    let err = '';
    const write = (text: string) => {
      err += text;
      if (text.includes('round 1')) ending.abort();
    };
    await runCommand([database.ownerUrl, '--max', '2'], {
      onKey: pressing('\r'),
      signal: ending.signal,
      stderr: { write },
    });
    expect(err).toContain('Begin? [Y/n] yes\n');
  });

  test('is taken back when the server goes away, and the keyboard with it', async () => {
    let isListening = false;
    const onKey = () => {
      isListening = true;
      void asSuperuser(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database.name}' AND application_name LIKE 'poolguard-probe/%'`,
      );
      return () => (isListening = false);
    };
    const { code, err } = await runCommand([database.ownerUrl, '--max', '2'], { onKey });
    expect({ code, isListening }).toEqual({ code: 2, isListening: false });
    expect(err).toMatch(/was lost .*Nothing was measured yet\.\n$/);
  });

  test('where nobody sits, --yes is needed', async () => {
    const { code, err } = await runCommand([database.ownerUrl]);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('Add --yes') as string });
  });
});

test('--dry-run prints the plan, with the address from the environment', async () => {
  const { code, out, err } = await runCommand(['--dry-run', '--max', '6'], {
    env: { DATABASE_URL: database.ownerUrl },
  });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/Pool sizes: 1, 2, 3, 4, 6 \(at most 6: /);
});

describe('what cannot run ends with 2 and a sentence', () => {
  test.each<readonly [string, readonly string[], RegExp]>([
    ['a server that is not there', ['postgres://app:s3cret@127.0.0.1:1/x'], /nothing listens/],
    [
      'a production host',
      ['postgres://app:s3cret@db.prod.example.com/x'],
      /production.*--allow-production/,
    ],
    [
      'a statement that writes',
      ['postgres://app:s3cret@127.0.0.1:1/x', '--sql', 'DROP TABLE t'],
      /starts with DROP/,
    ],
  ])('%s', async (_, args, sentence) => {
    const { code, out, err } = await runCommand(['--yes', ...args]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(sentence);
    expect(err).not.toContain('s3cret');
  });

  test.each<readonly [string, readonly string[], RegExp]>([
    ['no address', [], /^No database named/],
    [
      'an address of another system',
      ['mysql://root:s3cret@localhost/x'],
      /must start with postgres/,
    ],
    ['an option out of range', ['--max', '1'], /a whole number from 2 to 96/],
    ['an option that is no number', ['--seconds', '1e1'], /a whole number from 5 to 120/],
  ])('%s', async (_, args, sentence) => {
    const { code, stdout, stderr } = await runInProcess(['probe', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(sentence);
    expect(stderr).not.toContain('s3cret');
  });
});

test('on a terminal progress is one line that is gone at the end', () => {
  let text = '';
  const show = createProbeProgress({ isTTY: true, write: (more) => (text += more) });
  show({ kind: 'progress', fraction: 0.5, doing: 'round 2: 2 leads', sizes: foundTwo.sizes });
  show({ kind: 'result', result: foundTwo });
  expect(text).toBe('\r\u001B[2K██████████░░░░░░░░░░  50 %  ▅██  round 2: 2 leads\r\u001B[2K');
});
