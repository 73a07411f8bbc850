import process from 'node:process';
import pc from 'picocolors';
import { runCli } from './main.ts';
import { readKeys } from './read-keys.ts';

// A reader that has seen enough, as in `poolguard … | head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) =>
  process.exit(error.code === 'EPIPE' ? 0 : 2),
);
// Progress that nobody reads any more must not end what it tells of: the answer may go to a file.
process.stderr.on('error', () => undefined);

const stopper = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => stopper.abort());

const args = process.argv.slice(2);
await runCli(args, {
  cwd: process.cwd(),
  env: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  // picocolors heeds NO_COLOR, FORCE_COLOR and whether standard output is a terminal.
  isColored: pc.isColorSupported && !args.includes('--no-color'),
  now: () => performance.now(),
  signal: stopper.signal,
  // What is asked and shown goes to either of the two.
  onKey:
    process.stdin.isTTY && (process.stdout.isTTY || process.stderr.isTTY)
      ? (listener) => readKeys(process.stdin, listener)
      : undefined,
  setExitCode: (code) => {
    process.exitCode = code;
  },
});
