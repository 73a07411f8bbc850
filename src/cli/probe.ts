import { fileURLToPath } from 'node:url';
import { InvalidArgumentError, type Command } from 'commander';
import { defaultRequest, type ProbeRequest } from '../probe/request.ts';
import type { ProbeEvent } from '../probe/result.ts';
import { runProbe } from '../probe/run-probe.ts';
import { formatProbe } from '../report/probe-table.ts';
import type { CliIo } from './cli-io.ts';
import { exitCodes } from './exit-code.ts';
import { createProbeProgress, formatPlan } from './probe-progress.ts';
import { readTarget, serviceOption, targetHelp } from './read-target.ts';

interface ProbeFlags {
  readonly service?: string;
  readonly sql?: string;
  readonly max: number;
  readonly seconds: number;
  readonly workers: number;
  readonly json?: true;
  readonly validate: boolean;
  readonly dryRun?: true;
  readonly iKnow?: true;
}

const examples = `
Examples:
  poolguard probe postgres://app@localhost:5432/shop --sql "SELECT * FROM users LIMIT 100"
  poolguard probe --sql "SELECT …" --workers 4      address from DATABASE_URL or the PG* variables
  poolguard probe postgres://app@localhost/shop --dry-run
  poolguard probe --json > probe.json

The probe opens its connections once and lets 1, 2, 3, … of them work by turns for fractions of a second. It recommends the smallest
size that reaches 90 % of the best throughput. It reads only, leaves half of the free connections and at least five to others, and
refuses targets that look like production unless --i-know is given.

Exit codes: 0 a size was found, 1 too noisy to name one, 2 could not run, 130 cancelled.
`;

/** Adds `probe [url]`. The measuring process is `dist/probe.cjs`, which lies beside the bundle of the command line. */
export function addProbeCommand(program: Command, io: CliIo, processPath = fileURLToPath(new URL('./probe.cjs', import.meta.url))): void {
  program
    .command('probe')
    .description('measure which pool size (max) a statement needs on a development database')
    .argument('[url]', 'postgres://user@host:port/database, or key=value pairs')
    .option(...serviceOption)
    .option('--sql <statement>', 'one statement that only reads, with values in it (default: a stand-in that uses the CPU)')
    .option('--max <connections>', 'largest pool size to try', readCount(2, 96), defaultRequest.max)
    .option('--seconds <seconds>', 'time for the whole probe', readCount(5, 120), defaultRequest.seconds)
    .option('--workers <processes>', 'processes of your application that each have a pool', readCount(1, 10_000), defaultRequest.workers)
    .option('--json', 'print the result as JSON')
    .option('--no-validate', 'skip the check with a real pool')
    .option('--dry-run', 'say what would be done; the statement is not run')
    .option('--i-know', 'probe a database that looks like production')
    .addHelpText('after', `${targetHelp}\n${examples}`)
    .action(async (url: string | undefined, flags: ProbeFlags) => {
      io.setExitCode(await run(url, flags, io, processPath));
    });
}

function readCount(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most) throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
    return value;
  };
}

/** As shells report a program that Ctrl-C ended. */
const cancelled = 130;

async function run(url: string | undefined, flags: ProbeFlags, io: CliIo, processPath: string): Promise<number> {
  const onEvent = flags.dryRun === true ? () => undefined : createProbeProgress(io.stderr);
  const last = await runProbe(toRequest(await readTarget(url, io, flags.service), flags), { signal: io.signal, processPath, onEvent });
  return report(last, flags, io);
}

function toRequest({ target, secret }: Pick<ProbeRequest, 'target' | 'secret'>, flags: ProbeFlags): ProbeRequest {
  const { max, seconds, workers, validate } = flags;
  return { target, secret, statement: flags.sql ?? null, max, seconds, workers, validate, dryRun: flags.dryRun === true, iKnow: flags.iKnow === true };
}

function report(last: ProbeEvent, flags: ProbeFlags, io: CliIo): number {
  switch (last.kind) {
    case 'result':
      io.stdout.write(flags.json === true ? `${JSON.stringify(last.result, null, 2)}\n` : formatProbe(last.result, { isColored: io.isColored, workers: flags.workers }));
      return last.result.verdict.kind === 'too-noisy' ? exitCodes.findings : exitCodes.fine;
    case 'plan':
      io.stdout.write(flags.json === true ? `${JSON.stringify(last, null, 2)}\n` : formatPlan(last));
      return exitCodes.fine;
    case 'cancelled':
      io.stderr.write('Cancelled; all connections of the probe are closed.\n');
      return cancelled;
    case 'failed':
    case 'progress':
      io.stderr.write(`${last.kind === 'failed' ? last.sentence : 'The probe gave no answer.'}\n`);
      return exitCodes.couldNotRun;
  }
}
