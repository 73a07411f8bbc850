import { performance } from 'node:perf_hooks';
import type { CliIo, Terminal } from '../../src/cli/cli-io.ts';
import { everyCommand } from '../../src/cli/every-command.ts';
import { runCli, type AddCommand } from '../../src/cli/main.ts';

export interface CliRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliSetting {
  /** Where the command is typed; the repository when nobody says. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly isColored?: boolean;
  readonly signal?: AbortSignal;
  /** Makes standard output a terminal of that size. */
  readonly size?: { readonly columns: number; readonly rows: number };
  readonly onOutput?: (soFar: string) => void;
  readonly onKey?: CliIo['onKey'];
  /** The bundle that runs the rules, beside the one that runs a project's ESLint; without one ESLint's configuration is not read. */
  readonly engineBundle?: string;
  /** What the command line has in place of its own commands. */
  readonly commands?: readonly AddCommand[];
}

/** Runs the command line inside this process. */
export async function runInProcess(
  args: readonly string[],
  {
    cwd = process.cwd(),
    env = {},
    isColored = false,
    signal = new AbortController().signal,
    size,
    onOutput,
    onKey,
    engineBundle,
    commands = everyCommand,
  }: CliSetting = {},
): Promise<CliRun> {
  const out: string[] = [];
  const err: string[] = [];
  let code = 0;
  const stdout: Terminal = {
    ...(size !== undefined && { isTTY: true, ...size }),
    write: (text) => {
      out.push(text);
      onOutput?.(out.join(''));
    },
  };
  const io: CliIo = {
    cwd,
    env,
    stdout,
    stderr: { write: (text) => err.push(text) },
    isColored,
    now: () => performance.now(),
    signal,
    onKey,
    ...(engineBundle !== undefined && { engineBundle }),
    setExitCode: (value) => {
      code = value;
    },
  };
  await runCli(args, io, commands);
  return { code, stdout: out.join(''), stderr: err.join('') };
}
