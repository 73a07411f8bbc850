import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import type { Environment } from '../../database/target.ts';
import { createLastLines } from '../app/last-lines.ts';

export interface K6Run {
  readonly pid: number | null;
  /** What it printed, once it and its group are gone; never rejects. */
  readonly ended: Promise<K6End>;
  /** Asks it to end and to sum up, and ends it after `graceMs`. */
  stop(graceMs: number): void;
}

export interface K6End {
  readonly stdout: string;
  /** The last lines of what it complained about. */
  readonly lastWords: readonly string[];
  /** Why it could not be started; null when it was. */
  readonly failure: string | null;
}

const args = [
  'run',
  '--quiet',
  '--no-usage-report',
  '--no-color',
  '--insecure-skip-tls-verify',
  '-',
];
/**
 * Waits behind k6 for the end of this process, which closes the third pipe even when it is killed, and ends the group then. `exec` makes
 * k6 the leader of the group, with its own exit code.
 */
const watched = '{ read -r _ <&3; kill -KILL 0; } & exec "$0" "$@"';

/** Starts k6 in a group of its own with a script on its standard input: nothing of it touches the disk, and secrets travel in its environment only. */
export function startK6(program: string, script: string, environment: Environment): K6Run {
  const hasGroups = process.platform !== 'win32';
  const options = {
    env: { ...environment },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'] as ['pipe', 'pipe', 'pipe', 'pipe'],
    detached: hasGroups,
    windowsHide: true,
  };
  const child = hasGroups
    ? spawn('/bin/sh', ['-c', watched, program, ...args], options)
    : spawn(program, args, options);
  child.stdin?.on('error', () => undefined).end(script);
  const signal = (name: 'SIGINT' | 'SIGKILL') => signalAll(child, hasGroups, name);
  return {
    pid: child.pid ?? null,
    ended: awaitEnd(child),
    stop: (graceMs) => {
      signal('SIGINT');
      const timer = setTimeout(() => signal('SIGKILL'), graceMs);
      child.once('close', () => clearTimeout(timer));
    },
  };
}

/** Only k6 itself is asked: the one behind it has to stay. */
function signalAll(child: ChildProcess, hasGroups: boolean, name: 'SIGINT' | 'SIGKILL'): void {
  try {
    if (child.pid !== undefined)
      process.kill(hasGroups && name === 'SIGKILL' ? -child.pid : child.pid, name);
  } catch {
    // It has ended.
  }
}

function awaitEnd(child: ChildProcess): Promise<K6End> {
  const stdout = collect(child.stdout);
  const lines = createLastLines();
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => lines.add(chunk));
  return new Promise((resolve) => {
    const end = (failure: string | null) =>
      resolve({ stdout: stdout(), lastWords: lines.read().slice(-mostLines), failure });
    child.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.name));
    // Closing its pipe ends the one who waits behind k6, and with it the output that it has inherited.
    child.once('exit', () => child.stdio[3]?.destroy());
    child.once('close', () => end(null));
  });
}

/** Of what it complained about. */
const mostLines = 4;

/** A summary has some two thousand. */
const mostCharacters = 256 * 1024;

/** The end of what a stream says. */
function collect(stream: Readable | null): () => string {
  let text = '';
  stream?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    if (text.length > 2 * mostCharacters) text = text.slice(-mostCharacters);
  });
  return () => text;
}

/** The k6 of this machine; null where PATH has none. */
export function findK6({ PATH: path = '' }: Environment): string | null {
  const name = process.platform === 'win32' ? 'k6.exe' : 'k6';
  return (
    path
      .split(delimiter)
      .filter((folder) => folder !== '')
      .map((folder) => join(folder, name))
      .find(isProgram) ?? null
  );
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

const versionMs = 20_000;
const oldestMajor = 1;

/** Null when k6 can run our scripts, else the sentence that says what to do. */
export async function checkK6(environment: Environment): Promise<string | null> {
  const program = findK6(environment);
  const otherwise = 'or omit --load k6 to use the built-in load generator.';
  if (program === null)
    return `k6 was not found in PATH. Install it (grafana.com/docs/k6, "Install k6"; or go install go.k6.io/k6@latest), ${otherwise}`;
  const answer = await promisify(execFile)(program, ['version'], {
    timeout: versionMs,
    env: { ...environment },
  }).catch(() => null);
  const [, version, major] = /\bv((\d+)\.\d+\.\d+)/.exec(answer?.stdout ?? '') ?? [];
  if (version === undefined)
    return `${program} is not k6: it prints no version. Put k6 first in PATH, ${otherwise}`;
  return Number(major) < oldestMajor
    ? `${program} is k6 ${version}, but k6 1.0 or newer is required. Update it, ${otherwise}`
    : null;
}
