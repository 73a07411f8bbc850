import type { Command } from 'commander';
import { commonDefaults, type CommonRequest } from '../../../probe/request.ts';
import { readCount } from './read-count.ts';

export interface SafetyFlags {
  readonly seconds: number;
  readonly dryRun?: true;
  readonly iKnow?: true;
  readonly yes?: true;
}

/** How long, and what has to be agreed to. */
export function addSafetyOptions(command: Command): void {
  command
    .option('--seconds <seconds>', 'time for the whole probe', readCount(5, 120), commonDefaults.seconds)
    .option('--dry-run', 'say what would be done; the statement is not run')
    .option('-y, --yes', 'begin without asking; needed where nobody sits at a terminal')
    .option('--i-know', 'probe a database that looks like production');
}

export function readSafety({ seconds, dryRun, iKnow }: SafetyFlags): Pick<CommonRequest, 'seconds' | 'dryRun' | 'iKnow' | 'threads'> {
  return { seconds, dryRun: dryRun === true, iKnow: iKnow === true, threads: commonDefaults.threads };
}
