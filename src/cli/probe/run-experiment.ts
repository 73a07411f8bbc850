import type { Command } from 'commander';
import { toPlainLines } from '../../activity/plain-text.ts';
import { commonDefaults, type CommonRequest, type ProbeRequest } from '../../probe/request.ts';
import type { ProbeEvent, ProbePlan, ProbeResult } from '../../probe/result.ts';
import { runProbe } from '../../probe/run-probe.ts';
import { describeTransactions } from '../../probe/transaction-text.ts';
import { toJson } from '../../text/to-json.ts';
import { columnsOf, type CliIo } from '../cli-io.ts';
import { CouldNotRun, exitCodes } from '../exit-code.ts';
import { addTargetOptions, readTarget, type TargetFlags } from '../read-target.ts';
import type { NamedTarget } from '../target-files.ts';
import { writeStack } from '../write-stack.ts';
import { askToBegin } from './ask-to-begin.ts';
import { confirmWrites } from './confirm-writes.ts';
import { addLimitOptions, readLimits, type LimitFlags } from './options/limit-options.ts';
import {
  addOutputOptions,
  formatOf,
  printMeasured,
  type OutputFlags,
} from './options/output-options.ts';
import {
  addSafetyOptions,
  readSafety,
  type ConsentFlags,
  type SafetyFlags,
} from './options/safety-options.ts';
import {
  addWorkloadOptions,
  readWorkload,
  type WorkloadFlags,
} from './options/workload-options.ts';
import { createProbeProgress, formatPlan } from './probe-progress.ts';

/** The flags of an experiment that runs statements in pools. */
export interface CommonFlags
  extends WorkloadFlags, LimitFlags, SafetyFlags, OutputFlags, TargetFlags {}

/** What is asked of the flags once there is a request. */
type RunFlags = ConsentFlags & OutputFlags & Pick<WorkloadFlags, 'allowWrites'>;

/** What an experiment's command needs beside its flags. */
export interface ExperimentIo {
  readonly io: CliIo;
  /** `dist/probe.cjs`. */
  readonly processPath: string;
}

/** Adds the connection string and its options. */
export function addProbeTarget(command: Command): Command {
  return addTargetOptions(command.argument('[url]', 'name of the database, or connection string'));
}

/** The connection string, and the options of `CommonFlags`. */
export const commonOptions: readonly ((command: Command) => void)[] = [
  addProbeTarget,
  addWorkloadOptions,
  addLimitOptions,
  addSafetyOptions,
  addOutputOptions,
];

/** The part of a request that the common flags tell, with the defaults of what they do not. Throws `CouldNotRun` without a target. */
export async function readCommon(
  url: string | undefined,
  flags: CommonFlags,
  io: CliIo,
): Promise<CommonRequest> {
  return {
    ...commonDefaults,
    ...(await readProbeTarget(url, flags, io)),
    ...(await readWorkload(flags, io.cwd)),
    ...(await readLimits(flags, io)),
    ...readSafety(flags),
  };
}

/** Throws `CouldNotRun` without a target, and for a word in its place. */
export async function readProbeTarget(
  url: string | undefined,
  flags: TargetFlags,
  io: CliIo,
): Promise<NamedTarget> {
  if (url !== undefined && /^[a-z-]+$/i.test(url))
    throw new CouldNotRun(
      `"${url}" is neither an experiment nor a connection string. poolguard probe --help lists the experiments; their name comes first, then the connection string.`,
    );
  return readTarget(url, flags, io);
}

/** What to print of a result, and what to exit with. */
export type Judge = (result: ProbeResult) => {
  readonly result: ProbeResult;
  readonly exitCode: number;
};

function judgeByVerdict(result: ProbeResult): ReturnType<Judge> {
  return {
    result,
    exitCode: result.verdict.kind === 'too-noisy' ? exitCodes.findings : exitCodes.fine,
  };
}

/** As shells report a program that Ctrl-C ended; the same for a plan that nobody agreed to. */
const cancelled = 130;

/** Runs one experiment and prints what came of it. Gives the exit code. */
export async function runExperiment(
  request: ProbeRequest,
  flags: RunFlags,
  { io, processPath }: ExperimentIo,
  judge: Judge = judgeByVerdict,
): Promise<number> {
  formatOf(flags);
  if (!request.dryRun && flags.yes !== true && io.onKey === undefined) {
    io.stderr.write(
      'This terminal is not interactive, so the plan cannot be confirmed. Add --yes to start without asking, or --dry-run to see the plan.\n',
    );
    return exitCodes.couldNotRun;
  }
  if (!(await confirmWrites(flags, request, io))) {
    io.stderr.write('Nothing was run: the name of the database was not typed.\n');
    return cancelled;
  }
  const progress = request.dryRun ? () => undefined : createProbeProgress(io.stderr);
  const onCancelled = {
    declined: 'Nothing was measured; the connection of the probe is closed.\n',
    cancelled: 'Cancelled; the probe leaves no connection behind.\n',
  };
  const question = askFor(flags, io);
  const conclusion = request.experiment === 'size' ? concludeOnInterrupt(io) : null;
  const last = await runProbe(request, {
    signal: io.signal,
    ...(conclusion !== null && { enough: conclusion.enough }),
    processPath,
    onEvent: (event) => {
      if (event.kind === 'progress') conclusion?.listen();
      progress(event);
    },
    confirm: question.ask,
  });
  conclusion?.stop();
  if (last.kind === 'cancelled') {
    io.stderr.write(question.isDeclined() ? onCancelled.declined : onCancelled.cancelled);
    return cancelled;
  }
  return report(last, flags, io, judge);
}

/** While a probe measures, the first Ctrl-C asks for the answer that there is by now; the next one cancels. */
function concludeOnInterrupt({ onInterrupt, stderr }: CliIo): {
  readonly enough: AbortSignal;
  listen(): void;
  stop(): void;
} {
  const conclusion = new AbortController();
  let stop: (() => void) | undefined;
  return {
    enough: conclusion.signal,
    listen: () => {
      stop ??= onInterrupt?.(() => {
        stderr.write('\nEnding with what is known. Press Ctrl-C again to cancel.\n');
        conclusion.abort();
      });
    },
    stop: () => stop?.(),
  };
}

/** Asks somebody at the terminal whether to begin, unless the flags have answered. */
export function askFor(
  { yes }: ConsentFlags,
  { onKey, stderr }: CliIo,
): {
  readonly ask: (plan: ProbePlan, signal: AbortSignal) => Promise<boolean>;
  readonly isDeclined: () => boolean;
} {
  let isDeclined = false;
  return {
    ask: async (_plan, signal) => {
      const agreed =
        yes === true || onKey === undefined || (await askToBegin({ onKey, stderr }, signal));
      isDeclined = !agreed;
      return agreed;
    },
    isDeclined: () => isDeclined,
  };
}

function report(
  last: Exclude<ProbeEvent, { kind: 'cancelled' }>,
  flags: OutputFlags,
  io: CliIo,
  judge: Judge,
): number {
  switch (last.kind) {
    case 'result': {
      const { result, exitCode } = judge(last.result);
      printMeasured(result, flags, io);
      return isAlarming(result) ? exitCodes.findings : exitCode;
    }
    case 'plan':
      io.stdout.write(
        formatOf(flags) === 'json'
          ? `${toJson(last.plan, 2)}\n`
          : formatPlan(last.plan, columnsOf(io.stdout)),
      );
      return exitCodes.fine;
    case 'failed':
    case 'progress':
      io.stderr.write(
        `${last.kind === 'failed' ? toPlainLines(last.sentence) : 'The probe gave no answer.'}\n`,
      );
      if (last.kind === 'failed') writeStack(last.stack, io);
      return exitCodes.couldNotRun;
  }
}

function isAlarming({ transactions }: ProbeResult): boolean {
  return transactions !== undefined && describeTransactions(transactions).isAlarm;
}
