import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a Node program to its end. */
export function runNode(args: readonly string[], cwd: string): Promise<Finished> {
  return runProgram(process.execPath, args, cwd);
}

/** Runs a Node program to its end, with more in its environment. */
export function runNodeWith(
  args: readonly string[],
  cwd: string,
  environment: Readonly<Record<string, string>>,
): Promise<Finished> {
  return runProgram(process.execPath, args, cwd, environment);
}

/** Runs a program to its end, whatever its exit code. */
export async function runProgram(
  program: string,
  args: readonly string[],
  cwd: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  const child = spawn(program, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', ...environment },
    shell: program === 'npm' && process.platform === 'win32',
  });
  const ended = new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  );
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}
