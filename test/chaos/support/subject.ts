import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readResult } from '../../../src/probe/saved/read-result.ts';
import type { Arena, Way } from './arena.ts';
import { markName } from './marked-processes.ts';

/** Something of ours that a fault strikes. */
export interface Subject {
  readonly name: string;
  readonly way: Way;
  /** A moment up to so long after its first connection is hit, in milliseconds. */
  readonly spanMs: number;
  /** What would be over in no time gets a line that is so late, in milliseconds, until a fault replaces it. */
  readonly lateMs?: number;
  /** What it says again and again while all is well; undefined for what ends by itself. */
  readonly pulse?: RegExp;
  readonly start: (arena: Arena) => Promise<Running>;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Running {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly ended: Promise<Exit>;
  /** What is wrong with what it said last, or with what it wrote; empty when nobody is left in the dark. */
  readonly complaints: (
    exit: Exit,
    fault: { readonly sent?: NodeJS.Signals; readonly mutes?: true },
  ) => readonly string[];
}

const root = join(import.meta.dirname, '../../..');
export const cliPath = join(root, 'dist/cli.js');

interface Program {
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** What runs it instead of Node alone: a program and its arguments, to which the command is added. */
  readonly wrapper?: readonly string[];
  /** The report that it is to write, below the folder. */
  readonly report?: string;
}

/** Starts a Node program in the arena's folder, marked, and judges what it leaves behind. */
export function startProgram(
  { args, environment = {}, wrapper = [], report }: Program,
  { folder, mark }: Pick<Arena, 'folder' | 'mark'>,
): Running {
  const [file = process.execPath, ...rest] = [...wrapper, process.execPath, ...args];
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    TMPDIR: join(folder, 'tmp'),
    [markName]: mark,
    ...environment,
  };
  const child = spawn(file, rest, { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]
      .setEncoding('utf8')
      .on('data', (text: string) => (said[name] += text))
      .on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  const ended = new Promise<Exit>((resolve) =>
    child.once('close', (code, signal) => resolve({ code, signal })),
  );
  return {
    child,
    ended,
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    complaints: (exit, { sent, mutes }) => [
      ...(mutes === true ? [] : judgeWords(exit, said, sent)),
      ...(report === undefined ? [] : judgeReport(exit, join(folder, report))),
    ],
  };
}

/** `poolguard` with these arguments. */
export function cliSubject(
  name: string,
  way: Way,
  argsFor: (arena: Arena) => readonly string[],
  { spanMs, pulse, lateMs }: Pick<Subject, 'spanMs' | 'pulse' | 'lateMs'>,
): Subject {
  return {
    name,
    way,
    spanMs,
    ...(pulse !== undefined && { pulse }),
    ...(lateMs !== undefined && { lateMs }),
    start: (arena) => {
      const args = argsFor(arena);
      return Promise.resolve(
        startProgram(
          {
            args: [cliPath, ...args],
            environment: { DATABASE_URL: arena.url },
            ...(args.includes('--output') && { report: 'report.json' }),
          },
          arena,
        ),
      );
    },
  };
}

/** The exit codes of `poolguard --help`. */
const documented: ReadonlySet<number | null> = new Set([0, 1, 2, 130]);

function judgeWords(
  { code, signal }: Exit,
  { stdout, stderr }: { readonly stdout: string; readonly stderr: string },
  sent: NodeJS.Signals | undefined,
): readonly string[] {
  // Nobody can say anything any more, or had begun to.
  if (signal === 'SIGKILL' || (signal !== null && signal === sent && stdout + stderr === ''))
    return [];
  // What an application printed is quoted below the sentence that speaks of it.
  const ours = stderr.trimEnd().replace(/ Its last lines:(?:\n {2}.*)+$/u, '');
  const last = ours.split('\n').at(-1) ?? '';
  const tests: readonly (readonly [isWrong: boolean, complaint: string])[] = [
    [
      /^(?:Unknown|Option '--).*--help to see what there is\.$/.test(last),
      'it never began: the trial asks for something that there is not',
    ],
    [!documented.has(code), `exit code ${code}, signal ${signal}`],
    [
      /\n\s+at \S+.*:\d+|node:internal|Unhandled|failed unexpectedly|broke down/.test(
        stdout + stderr,
      ),
      'a stack trace, or words of a crash',
    ],
    [code === 2 && !/^\S.*[.!?]$/.test(last), 'no sentence that says why it could not run'],
    [code === 2 && sent !== undefined, 'a cancel that is told as a failure'],
    [code === 130 && !/cancelled|nothing was/i.test(last), 'no word of the cancel'],
    [code === 0 && stdout === '' && stderr === '', 'fine, and not a word'],
  ];
  return tests
    .filter(([isWrong]) => isWrong)
    .map(([, complaint]) => `${complaint}: ${JSON.stringify(stderr.slice(-400))}`);
}

function judgeReport({ code }: Exit, path: string): readonly string[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return code === 0 ? ['fine, and no report'] : [];
  }
  const read = readResult(text, 'report.json');
  return read.kind === 'refused' ? [`a report that cannot be read: ${read.sentence}`] : [];
}
