import { Command, CommanderError } from 'commander';
import { join, resolve } from 'node:path';
import { CouldNotRun, exitCodes } from '../../src/cli/exit-code.ts';
import { collectSamples } from './collect-samples.ts';
import { commitSamples, withCheckouts } from './commits.ts';
import { compareLedgers, samplesOf } from './compare-ledgers.ts';
import { comparisonAsJson, printComparison } from './print-comparison.ts';
import type { Sample } from './sample.ts';
import { writeLedger, type SampleReader } from './write-ledger.ts';

/** What the command needs of its process. */
export interface LedgerSurroundings {
  /** This repository. */
  readonly root: string;
  readonly cwd: string;
  /** Where public code is laid out, and found again next time. */
  readonly cache: string;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  /** Tells the rules that run from others. */
  readonly code: string;
  readonly startReader: () => SampleReader;
  /** Aborted when the user presses Ctrl-C. */
  readonly signal: AbortSignal;
}

interface Flags {
  readonly out?: string;
  readonly samples?: string;
  readonly programs: string;
  readonly mirrors?: string;
  readonly threads: string;
  readonly compare?: true;
  readonly json?: true;
}

const teaching = `
A change that should change nothing leaves two equal ledgers; of any other, each difference is ruled: better, or a bug.

Examples:
  npm run ledger -- --out before.jsonl
  npm run ledger -- --out after.jsonl --samples before.jsonl
  npm run ledger -- --compare before.jsonl after.jsonl

Exit codes: 0 written, or equal; 1 different; 2 could not run; 130 stopped, and the same command goes on from there.
`;

/** Runs the command, and returns its exit code. */
export async function runLedger(
  args: readonly string[],
  around: LedgerSurroundings,
): Promise<number> {
  let code: number = exitCodes.fine;
  const command = new Command('npm run ledger --')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void around.stdout.write(text),
      writeErr: (text) => void around.stderr.write(text),
    })
    .description(
      'Writes down all that the rules say of many programs, and compares two such ledgers.',
    )
    .argument('[ledgers...]', 'with --compare: the one before and the one after')
    .option('--out <file>', 'write a ledger')
    .option('--samples <ledger>', 'lint the samples of another ledger')
    .option('--programs <number>', 'how many random programs', '20000')
    .option('--mirrors <folder>', 'also public code, from bare git directories in this folder')
    .option('--threads <number>', 'how many samples are linted at a time', '2')
    .option('--compare', 'print what two ledgers say differently')
    .option('--json', 'print it as JSON')
    .addHelpText('after', teaching)
    .action(async (ledgers: readonly string[], flags: Flags) => {
      if (flags.compare === true) code = compare(ledgers, flags, around);
      else await write(flags, around);
    });
  try {
    await command.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    return explain(error, around);
  }
}

function explain(error: unknown, { signal, stderr }: LedgerSurroundings): number {
  if (error instanceof CommanderError)
    return error.exitCode === 0 ? exitCodes.fine : exitCodes.couldNotRun;
  if (signal.aborted) {
    stderr.write('\nStopped. The same command goes on from here.\n');
    return exitCodes.cancelled;
  }
  if (!(error instanceof CouldNotRun)) throw error;
  stderr.write(`${error.message}\n`);
  return exitCodes.couldNotRun;
}

function compare(
  [before, after, ...more]: readonly string[],
  { json }: Flags,
  { cwd, stdout }: LedgerSurroundings,
): number {
  if (before === undefined || after === undefined || more.length > 0)
    throw new CouldNotRun('--compare wants two ledgers.');
  const comparison = compareLedgers(resolve(cwd, before), resolve(cwd, after));
  stdout.write((json === true ? comparisonAsJson : printComparison)(comparison));
  return comparison.differences.length > 0 ? exitCodes.findings : exitCodes.fine;
}

async function write(flags: Flags, around: LedgerSurroundings): Promise<void> {
  const { cwd, code, startReader, signal, stderr } = around;
  if (flags.out === undefined)
    throw new CouldNotRun('Name a file with --out, or two ledgers with --compare.');
  const samples = await samplesFor(flags, around);
  const begin = performance.now();
  let shown = 0;
  await writeLedger({
    file: resolve(cwd, flags.out),
    samples,
    code,
    readers: Array.from({ length: Number(flags.threads) }, startReader),
    signal,
    onProgress(done, all) {
      const seconds = Math.floor((performance.now() - begin) / 1_000);
      if (done < all && seconds === shown) return;
      shown = seconds;
      stderr.write(`\r${done}/${all} samples, ${seconds} s`);
    },
  });
  stderr.write('\n');
}

async function samplesFor(
  { samples, programs, mirrors }: Flags,
  { root, cwd, cache, signal }: LedgerSurroundings,
): Promise<readonly Sample[]> {
  const wanted =
    samples === undefined
      ? collectSamples(root, Number(programs))
      : samplesOf(resolve(cwd, samples));
  if (mirrors === undefined) return wanted.filter(({ commit }) => commit === undefined);
  const origins = { mirrors: resolve(cwd, mirrors), remote: '', cache };
  return samples === undefined
    ? [...wanted, ...(await commitSamples(join(root, 'test/corpus'), origins, signal))]
    : withCheckouts(wanted, origins, signal);
}
