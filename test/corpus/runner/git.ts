import { spawn } from 'node:child_process';
import { buffer, text } from 'node:stream/consumers';
import { toPlainText } from '../../../src/activity/plain-text.ts';

export interface GitAnswer {
  readonly code: number | null;
  readonly stdout: Buffer;
  /** The line in which git says what failed. */
  readonly complaint: string;
}

/** Public repositories need no account: git asks nobody. Files that a partial clone left out stay out. */
const environment = { GIT_TERMINAL_PROMPT: '0', GIT_NO_LAZY_FETCH: '1', LC_ALL: 'C' };
/** A connection that carries almost nothing for a minute is given up. */
const settings = [
  '-c',
  'credential.helper=',
  '-c',
  'http.lowSpeedLimit=1000',
  '-c',
  'http.lowSpeedTime=60',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'gc.auto=0',
];

/** Runs git on a bare directory. A failure is an answer; only an abort rejects. */
export async function git(
  directory: string,
  args: readonly string[],
  signal: AbortSignal,
  input = '',
): Promise<GitAnswer> {
  const child = spawn('git', [...settings, '--git-dir', directory, ...args], {
    env: { ...process.env, ...environment },
    signal,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  );
  // Git may end before it has read its input; the exit code says so.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const [stdout, stderr, code] = await Promise.all([
    buffer(child.stdout),
    text(child.stderr),
    ended,
  ]);
  return { code, stdout, complaint: complaintIn(stderr) };
}

function complaintIn(stderr: string): string {
  const lines = stderr.trim().split('\n');
  return toPlainText(lines.find((line) => /^(?:fatal|error): /u.test(line)) ?? lines.at(-1) ?? '');
}
