import type { Command } from 'commander';
import type { SpikeInput } from '../../probe/spike/spike-result.ts';
import { modelSpike } from '../../probe/spike/model-spike.ts';
import { CouldNotRun, exitCodes } from '../exit-code.ts';
import type { TargetFlags } from '../read-target.ts';
import { measureHold } from './measure-hold.ts';
import { addOutputOptions, printResult, type OutputFlags } from './options/output-options.ts';
import { readCount } from './options/read-count.ts';
import { readCounts, readPositive } from './options/read-list.ts';
import { addConsentOptions, type ConsentFlags } from './options/safety-options.ts';
import { addStatementOptions, type StatementFlags } from './options/workload-options.ts';
import { addProbeTarget, type ExperimentIo } from './run-experiment.ts';

interface SpikeFlags extends TargetFlags, StatementFlags, ConsentFlags, OutputFlags {
  readonly rate?: number;
  readonly hold?: number;
  readonly spikeHold?: number;
  readonly spikeSeconds: number;
  readonly sizes: readonly number[];
  readonly waitLimit?: number;
}

const help = `
Examples:
  poolguard probe spike --rate 800 --hold 15 --spike-hold 200 --spike-seconds 3 --sizes 100,200
  poolguard probe spike --rate 300 --hold 20 --spike-hold 500 --sizes 10,20 --wait-limit 5000
  poolguard probe spike postgres://app@localhost/shop --sql "SELECT …" --rate 300

What if the server stalls: a checkpoint, a lock, a cold cache. From the rate of requests and how long each holds its client, on a good
day and during the spike, this gives the queue at its end, the longest wait, how long the line takes to go away, and how many clients
would be needed. It is a model: no database is needed, and nothing is run. Without --hold, with a database and --sql, the statement is
timed first, on one connection; without --spike-hold a spike makes it ten times as slow.
`;

const usualSizes: readonly number[] = [10, 20, 50, 100, 200];
/** A stall that people tell of: 15 ms become 200. */
const usualSlowdown = 10;
/** As shells report a program that Ctrl-C ended. */
const cancelled = 130;

export function addSpikeCommand(probe: Command, parts: ExperimentIo): void {
  const command = probe
    .command('spike')
    .description(
      'what a stall of the server does to a pool: backlog, longest wait, time to recover',
    )
    .addHelpText('after', `\n${help.trim()}`);
  command
    .optionsGroup('The experiment:')
    .option('--rate <requests>', 'requests per second', readPositive(1e6))
    .option(
      '--hold <ms>',
      'how long a request holds its client on a good day',
      readPositive(60_000),
    )
    .option('--spike-hold <ms>', 'the same during the spike', readPositive(600_000))
    .option('--spike-seconds <seconds>', 'length of the spike', readPositive(3600), 3)
    .option('--sizes <list>', 'pool sizes to compare', readCounts(1, 10_000), usualSizes)
    .option(
      '--wait-limit <ms>',
      'connectionTimeoutMillis; without it callers wait indefinitely',
      readCount(1, 600_000),
    );
  for (const add of [addProbeTarget, addStatementOptions, addConsentOptions, addOutputOptions])
    add(command);
  command.action(async (url: string | undefined, flags: SpikeFlags) => {
    parts.io.setExitCode(await runSpike(url, flags, parts));
  });
}

async function runSpike(
  url: string | undefined,
  flags: SpikeFlags,
  parts: ExperimentIo,
): Promise<number> {
  if (flags.rate === undefined)
    throw new CouldNotRun(
      '--rate is needed: requests per second at the peak, for example --rate 200.',
    );
  const held =
    flags.hold === undefined
      ? await measureHold(url, flags, parts)
      : { kind: 'held' as const, holdMs: flags.hold, notes: [] };
  if (held.kind === 'cancelled') return cancelled;
  const { holdMs, notes } = held;
  const input: SpikeInput = {
    rate: flags.rate,
    holdMs,
    spikeHoldMs: flags.spikeHold ?? holdMs * usualSlowdown,
    spikeMs: flags.spikeSeconds * 1000,
    waitLimitMs: flags.waitLimit ?? null,
  };
  const result = modelSpike(input, flags.sizes);
  printResult({ ...result, notes: [...result.notes, ...notes] }, flags, parts.io);
  return exitCodes.fine;
}
