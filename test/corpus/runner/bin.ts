import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { Command, CommanderError } from 'commander';
import { CouldNotRun, exitCodes } from '../../../src/cli/exit-code.ts';
import { addCorpusOptions } from './command.ts';
import { serveParent } from './worker.ts';

/** The same bundle is the command and, with this argument, its worker. */
const asWorker = '--as-worker';

if (process.argv[2] === asWorker) serveParent();
else await runCommand();

async function runCommand(): Promise<void> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) =>
    process.exit(error.code === 'EPIPE' ? exitCodes.fine : exitCodes.couldNotRun),
  );
  const stopper = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => stopper.abort());
  const program = addCorpusOptions(new Command('npm run corpus --').exitOverride(), {
    root: process.cwd(),
    worker: { file: fileURLToPath(import.meta.url), args: [asWorker] },
    today: () => new Date().toISOString().slice(0, 10),
    io: {
      // npm runs scripts in the root of the package, and says where the user was.
      cwd: process.env['INIT_CWD'] ?? process.cwd(),
      env: process.env,
      stdout: process.stdout,
      stderr: process.stderr,
      isColored: false,
      now: () => performance.now(),
      signal: stopper.signal,
      setExitCode: (code) => {
        process.exitCode = code;
      },
    },
  });
  await program.parseAsync().catch((error: unknown) => {
    process.exitCode = explain(error, stopper.signal);
  });
}

function explain(error: unknown, signal: AbortSignal): number {
  if (error instanceof CommanderError)
    return error.exitCode === 0 ? exitCodes.fine : exitCodes.couldNotRun;
  if (signal.aborted)
    process.stderr.write('Stopped. What was fetched stays in the cache for the next run.\n');
  else if (error instanceof CouldNotRun) process.stderr.write(`${error.message}\n`);
  else throw error;
  return exitCodes.couldNotRun;
}
