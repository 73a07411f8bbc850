import { Command, InvalidArgumentError } from 'commander';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import pc from 'picocolors';
import { version } from '../../package.json';
import { renderReport } from '../../src/report/html.ts';
import type { ReportInput } from '../../src/report/report-input.ts';
import { createSteps } from '../steps.mjs';
import { takeTour } from './tour.ts';

interface StartOptions {
  readonly out: string;
  readonly seconds: number;
}

/** The process ends by a signal with 128 and its number, as shells expect. */
const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
const couldNotRun = 2;
const root = fileURLToPath(new URL('..', import.meta.url));

const command = new Command('npm start --')
  .description(
    'Shows Poolguard on two real services and a throw-away PostgreSQL 18: findings, live sessions, load, pool size, and one HTML report.',
  )
  .option('--out <file>', 'where the report goes', 'report/poolguard-report.html')
  .option(
    '--seconds <number>',
    'how long each service is under load; the probe takes twice as long, from 5 to 15 s',
    readSeconds,
    8,
  )
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : couldNotRun))
  .action(start);

await command.parseAsync();

async function start({ out, seconds }: StartOptions): Promise<void> {
  const end = listenForTheEnd();
  const steps = createSteps(
    { write: (text) => void process.stdout.write(text), isTTY: process.stdout.isTTY, colors: pc },
    () => performance.now(),
  );
  try {
    const input = await takeTour(steps, {
      root,
      version,
      signal: end.signal,
      load: { seconds, callers: 20, poolMax: 10 },
    });
    const file = await steps.run('Write the report', () => writeReport(resolve(out), input));
    process.stdout.write(`\n${pc.bold('The report:')} ${file}\n`);
  } catch (error) {
    const exitCode = end.exitCode();
    if (exitCode === undefined)
      process.stderr.write(
        `${pc.red('npm start could not finish:')} ${error instanceof Error ? error.message : String(error)}\n`,
      );
    process.exitCode = exitCode ?? couldNotRun;
  }
}

interface End {
  /** Aborts when somebody ends the tour. */
  readonly signal: AbortSignal;
  /** What to exit with then; undefined as long as nobody did. */
  readonly exitCode: () => number | undefined;
}

function listenForTheEnd(): End {
  const abort = new AbortController();
  let exitCode: number | undefined;
  const end = (code: number) => {
    // The second time, somebody is in a hurry: the server's keeper process cleans up alone.
    if (exitCode !== undefined) process.exit(code);
    exitCode = code;
    abort.abort();
  };
  for (const [name, code] of Object.entries(signals)) {
    process.on(name, () => {
      process.stderr.write('\nStopping …\n');
      end(code);
    });
  }
  // A reader that has seen enough, as in `npm start | head`, ends the tour as well.
  process.stdout.once('error', () => end(0)).on('error', () => undefined);
  return { signal: abort.signal, exitCode: () => exitCode };
}

async function writeReport(file: string, input: ReportInput): Promise<string> {
  const page = renderReport(input);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, page);
  return file;
}

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (!Number.isInteger(seconds) || seconds < 2 || seconds > 300)
    throw new InvalidArgumentError('Write a whole number of seconds from 2 to 300.');
  return seconds;
}
