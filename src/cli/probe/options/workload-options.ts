import type { Command } from 'commander';
import { workloadOf, type CommonRequest } from '../../../probe/request.ts';

export interface WorkloadFlags {
  readonly sql?: string;
}

/** What is run again and again. */
export function addWorkloadOptions(command: Command): void {
  command.option('--sql <statement>', 'one statement that only reads, with values in it (default: a stand-in that uses the CPU)');
}

export function readWorkload({ sql }: WorkloadFlags): Pick<CommonRequest, 'workload' | 'allowWrites'> {
  return { workload: sql === undefined ? { kind: 'stand-in' } : workloadOf(sql), allowWrites: false };
}
