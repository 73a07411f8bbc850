import { constants } from 'node:os';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import pc from 'picocolors';
import type { ReadStream } from 'node:tty';
import { keysOf } from './keys-of.ts';
import type { CliIo } from './cli-io.ts';
import { commandIn } from './command-list.ts';

type Run = (args: readonly string[], io: CliIo) => Promise<void>;

await run(process.argv.slice(2));

async function run(args: readonly string[]): Promise<void> {
  // A reader that has seen enough, as in `poolguard … | head`, is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) =>
    process.exit(error.code === 'EPIPE' ? 0 : 2),
  );
  // A closed standard error must not end the command: its report may go to a file.
  process.stderr.on('error', () => undefined);

  const io: CliIo = {
    cwd: process.cwd(),
    env: process.env,
    stdout: process.stdout,
    stderr: process.stderr,
    // picocolors heeds NO_COLOR, FORCE_COLOR and whether standard output is a terminal, but takes FORCE_COLOR=0 for a yes.
    isColored: pc.isColorSupported && !['0', 'false'].includes(process.env['FORCE_COLOR'] ?? ''),
    now: () => performance.now(),
    ...listenForSignals(),
    // What is asked and shown goes to either of the two.
    onKey:
      process.stdin.isTTY && (process.stdout.isTTY || process.stderr.isTTY)
        ? (listener) => readKeys(process.stdin, listener)
        : undefined,
    onResize: (listener) => {
      process.stdout.on('resize', listener);
      return () => process.stdout.off('resize', listener);
    },
    onExit: (listener) => {
      process.once('exit', listener);
      return () => process.off('exit', listener);
    },
    threadBundle: fileURLToPath(new URL('./server.cjs', import.meta.url)),
    engineBundle: fileURLToPath(new URL('./engine.cjs', import.meta.url)),
    setExitCode: (code) => {
      process.exitCode = code;
    },
  };
  await (
    await loadRun(args)
  )(args, io);
}

/** What the arguments ask for starts without the code of the rest. */
async function loadRun(args: readonly string[]): Promise<Run> {
  switch (commandIn(args)) {
    case undefined:
      return (await import('./overview.ts')).runOverview;
    case 'lint':
      return (await import('./lint/lint-command.ts')).runLint;
    default:
      return (await import('./every-command.ts')).runEveryCommand;
  }
}

/** A command that took the next Ctrl-C gets it; whatever else asks the process to end aborts the signal, and a second time ends it at once. */
function listenForSignals(): Required<Pick<CliIo, 'signal' | 'onInterrupt'>> {
  const stopper = new AbortController();
  const taken = new Set<() => void>();
  const stopOrExit = (signal: NodeJS.Signals) => {
    // By `exit`, which gives the terminal back, as a signal's own end does not.
    if (stopper.signal.aborted) process.exit(128 + constants.signals[signal]);
    stopper.abort();
  };
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, stopOrExit);
  process.on('SIGINT', (signal) => {
    const [listener] = taken;
    if (listener === undefined) return stopOrExit(signal);
    taken.delete(listener);
    listener();
  });
  return {
    signal: stopper.signal,
    onInterrupt: (listener) => {
      taken.add(listener);
      return () => void taken.delete(listener);
    },
  };
}

/** Hears each key as it is pressed, without a line's end and without an echo, until the returned function is called. */
function readKeys(terminal: ReadStream, listener: (key: string) => void): () => void {
  const hear = (bytes: Buffer) => {
    for (const key of keysOf(bytes.toString('utf8'))) listener(key);
  };
  terminal.setRawMode(true);
  terminal.on('data', hear);
  terminal.resume();
  return () => {
    terminal.off('data', hear);
    terminal.setRawMode(false);
    terminal.pause();
  };
}
