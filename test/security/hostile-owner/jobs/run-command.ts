import { Command } from 'commander';
import type { CliIo } from '../../../../src/cli/cli-io.ts';

interface Ran {
  readonly code: number;
  readonly stdout: string;
}

interface Watching {
  readonly signal?: AbortSignal;
  readonly onOutput?: (soFar: string) => void;
}

/** Runs one command of the command line inside this process, without what the others import. Rejects where the command says that it could not run. */
export async function runCommand(
  add: (program: Command, io: CliIo) => void,
  args: readonly string[],
  { signal = new AbortController().signal, onOutput }: Watching = {},
): Promise<Ran> {
  const out: string[] = [];
  let code = 0;
  const program = new Command();
  add(program, {
    cwd: process.cwd(),
    env: {},
    stdout: {
      write: (text) => {
        out.push(text);
        onOutput?.(out.join(''));
      },
    },
    stderr: { write: () => undefined },
    isColored: false,
    now: () => performance.now(),
    signal,
    onKey: undefined,
    setExitCode: (value) => {
      code = value;
    },
  });
  await program.parseAsync([...args], { from: 'user' });
  return { code, stdout: out.join('') };
}
