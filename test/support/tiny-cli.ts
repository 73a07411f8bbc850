// `poolguard lint` with the tiny plugin, as a process of its own.
import { addLintCommand } from '../../src/cli/lint.ts';
import { runCli } from '../../src/cli/main.ts';
import { createTinyPlugin } from './tiny-plugin.ts';

const io = {
  cwd: process.cwd(),
  env: {},
  stdout: process.stdout,
  stderr: process.stderr,
  isColored: false,
  now: () => performance.now(),
  signal: new AbortController().signal,
  setExitCode: (code: number) => {
    process.exitCode = code;
  },
};
await runCli(process.argv.slice(2), io, [
  (program) => addLintCommand(program, io, createTinyPlugin()),
]);
