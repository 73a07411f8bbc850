// `poolguard lint` with the tiny plugin, as a process of its own.
import { Command } from 'commander';
import { addLintCommand } from '../../src/cli/lint.ts';
import { createTinyPlugin } from './tiny-plugin.ts';

const program = new Command('poolguard').exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
addLintCommand(
  program,
  {
    cwd: process.cwd(),
    stdout: process.stdout,
    stderr: process.stderr,
    isColored: false,
    now: () => performance.now(),
    signal: new AbortController().signal,
    setExitCode: (code) => {
      process.exitCode = code;
    },
  },
  createTinyPlugin(),
);
await program.parseAsync();
