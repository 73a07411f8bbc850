import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import pc from 'picocolors';
import type { ReadStream } from 'node:tty';
import { addPoolguardLint } from './lint/lint-command.ts';
import { runCli } from './main.ts';
import type { CliIo } from './cli-io.ts';

// The program is its own thread that lints, too.
if (isMainThread) await run(process.argv.slice(2));
else (await import('./engine.ts')).serveThread();

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
    lintBundle: fileURLToPath(import.meta.url),
    engineBundle: fileURLToPath(new URL('./engine.js', import.meta.url)),
    setExitCode: (code) => {
      process.exitCode = code;
    },
  };
  // What is run before each commit starts without the code of all others.
  if (args[0] === 'lint') await runCli(args, io, [addPoolguardLint]);
  else await (await import('./every-command.ts')).runEveryCommand(args, io);
}

/** A command that took the next Ctrl-C gets it; whatever else asks the process to end aborts the signal, and a second time ends it at once. */
function listenForSignals(): Required<Pick<CliIo, 'signal' | 'onInterrupt'>> {
  const stopper = new AbortController();
  const taken = new Set<() => void>();
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stopper.abort());
  process.on('SIGINT', function interrupt() {
    const [listener] = taken;
    if (listener !== undefined) {
      taken.delete(listener);
      return listener();
    }
    process.off('SIGINT', interrupt);
    stopper.abort();
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
    const text = bytes.toString('utf8');
    // Arrows and the like arrive as an escape sequence, whose letters are no keys.
    for (const key of text.startsWith('\u001B') ? [text] : text) listener(key);
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
