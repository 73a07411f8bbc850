import type { Command } from 'commander';
import { commonDefaults, type CommonRequest } from '../../../probe/request.ts';
import { readCount } from './read-count.ts';

export interface LimitFlags {
  readonly max: number;
  readonly workers: number;
}

/** How many connections there may be, here and in the application. */
export function addLimitOptions(command: Command): void {
  command
    .option('--max <connections>', 'largest pool size to try', readCount(2, 96), commonDefaults.max)
    .option('--workers <processes>', 'processes of your application that each have a pool', readCount(1, 10_000), commonDefaults.workers);
}

export function readLimits({ max, workers }: LimitFlags): Pick<CommonRequest, 'max' | 'workers' | 'instances' | 'deployOverlap' | 'server'> {
  const { instances, deployOverlap, server } = commonDefaults;
  return { max, workers, instances, deployOverlap, server };
}
