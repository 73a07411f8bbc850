import type { Command } from 'commander';
import type { CompareRequest } from '../../probe/request.ts';
import { addExperimentCommand, largestOf } from './experiment-command.ts';
import { readCount } from './options/read-count.ts';
import { readCounts } from './options/read-list.ts';
import {
  readCommon,
  runExperiment,
  type CommonFlags,
  type ExperimentIo,
} from './run-experiment.ts';

interface CompareFlags extends CommonFlags {
  readonly callers: readonly number[];
  readonly pool: number;
}

const help = `
Examples:
  poolguard probe compare postgres://app@localhost/shop --sql "SELECT * FROM users LIMIT 100"
  poolguard probe compare --callers 20,200 --pool 10 --seconds 30

The same callers reach the server in four ways: a new connection for each request, one client that all share, a pool, and one client
that sends without waiting for answers (pipeline: true of pg 8.23). A pool of as many clients as this machine has cores runs too.
What counts are answers per second of the whole time; failures are counted by cause, too many clients (53300) among them.
New connections are never more at once than the probe may open: callers beyond that are queued, where a service without a pool
would be refused, and would take connections from others on your server.
`;

export function addCompareCommand(probe: Command, parts: ExperimentIo): void {
  addExperimentCommand(probe, {
    name: 'compare',
    description: 'new connection per request, one shared client, a pool, one pipelined client',
    seconds: 20,
    help,
  })
    .option('--callers <list>', 'callers at once', readCounts(1, 2000), [20, 200])
    .option('--pool <clients>', 'max of the pool', readCount(1, 96), 10)
    .action(async (url: string | undefined, flags: CompareFlags, command: Command) => {
      const { callers, pool: poolSize } = flags;
      const request: CompareRequest = {
        ...(await readCommon(url, flags, parts.io)),
        experiment: 'compare',
        callers,
        poolSize,
        max: largestOf([poolSize, 20], flags, command),
      };
      parts.io.setExitCode(await runExperiment(request, flags, parts));
    });
}
