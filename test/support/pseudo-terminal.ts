import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'vitest';

export interface TerminalSetting {
  readonly env: NodeJS.ProcessEnv;
  readonly columns: number;
  readonly rows: number;
}

export interface PseudoTerminal extends AsyncDisposable {
  /** Everything that was written to the terminal. */
  readonly output: () => string;
  /** What was drawn last, without the sequences that draw it. */
  readonly screen: () => string;
  type(keys: string): void;
  /** Waits until the screen has the text. */
  shows(pattern: RegExp): Promise<void>;
  /** The process id of the program that runs in it. */
  readonly pid: () => number;
  /** Ends when the program and all that follows it in the shell has ended. */
  readonly ended: Promise<number>;
}

/** A machine that is busy starts the program in a few seconds. */
const patienceMs = 30_000;
const toTop = '\u001B[H';

/**
 * Runs a program in a terminal of the system, which `script` of util-linux opens. After the program the shell writes its exit code and
 * the settings of the terminal as they are then.
 */
export function openTerminal(
  program: readonly string[],
  { env, columns, rows }: TerminalSetting,
): PseudoTerminal {
  const command = [
    `stty cols ${columns} rows ${rows}`,
    `sh -c 'echo "pid $$"; exec "$@"' sh ${program.map((word) => `'${word}'`).join(' ')}`,
    'echo "code $?"',
    'stty -a',
  ].join('; ');
  const child = spawn('script', ['--quiet', '--flush', '--command', command, '/dev/null'], {
    env: { ...env, SHELL: '/bin/sh', TERM: 'xterm-256color' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = once(child, 'close').then(([code]) => code as number);
  const screen = () =>
    output.slice(output.lastIndexOf(toTop) + toTop.length).replaceAll(/\u001B\[[0-?]*[@-~]/gu, '');
  return {
    output: () => output,
    screen,
    type: (keys) => void child.stdin.write(keys),
    shows: (pattern) => expect.poll(screen, { timeout: patienceMs }).toMatch(pattern),
    pid: () => Number(/pid (\d+)/.exec(output)?.[1]),
    ended,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
