import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { commonDefaults, type CommonRequest } from '../../../probe/request.ts';
import { readCount } from './read-count.ts';

export interface SafetyFlags {
  readonly seconds: number;
  readonly threads: number;
  readonly dryRun?: true;
  readonly iKnow?: true;
  readonly yes?: true;
}

/** How long, and what has to be agreed to. */
export function addSafetyOptions(command: Command): void {
  command
    .option('--seconds <seconds>', 'time for the whole probe', readCount(5, 120), commonDefaults.seconds)
    .option('--threads <threads>', "threads that make the load: more than one shows what the database can do beyond one Node process's reach, on a machine with cores to spare", readCount(1, availableParallelism()), commonDefaults.threads)
    .option('--dry-run', 'say what would be done; the statement is not run')
    .option('-y, --yes', 'begin without asking; needed where nobody sits at a terminal')
    .option('--i-know', 'probe a database that looks like production');
}

export function readSafety({ seconds, threads, dryRun, iKnow }: SafetyFlags): Pick<CommonRequest, 'seconds' | 'dryRun' | 'iKnow' | 'threads'> {
  return { seconds, dryRun: dryRun === true, iKnow: iKnow === true, threads };
}
