import type { Command } from 'commander';
import { planRamp } from '../../k6/plan-k6.ts';
import type { RampRequest } from '../../probe/request.ts';
import { exportK6 } from '../export/export-k6.ts';
import {
  addExportOptions,
  addExportUrl,
  refuseLoneExportOptions,
  type ExportUrlFlags,
} from '../export/export-options.ts';
import { frameOfProbe } from '../export/export-probe.ts';
import { addExperimentCommand, largestOf } from './experiment-command.ts';
import { addSharingOfExport, type SharingFlags } from './options/limit-options.ts';
import { readCount } from './options/read-count.ts';
import { readCounts } from './options/read-list.ts';
import {
  readCommon,
  runExperiment,
  type CommonFlags,
  type ExperimentIo,
} from './run-experiment.ts';

interface RampFlags extends CommonFlags, ExportUrlFlags, Partial<SharingFlags> {
  readonly rates: readonly number[];
  readonly sizes: readonly number[];
  readonly waitLimit: number;
}

const help = `
Examples:
  poolguard probe ramp postgres://app@localhost/shop --sql "SELECT * FROM users LIMIT 100"
  poolguard probe ramp --rates 100,300,500,800,1000 --sizes 10,20,40 --wait-limit 5000 --seconds 60
  poolguard probe ramp --rates 100,300 --export k6 --url http://localhost:3000/users

Requests arrive at random moments, at each rate in turn, and do not wait for each other, as those of a service with many users do.
Each is timed from the moment it was meant for. The table has the latency by rate and size, and failures by cause: wait-timeout is a
request that no client was free for within --wait-limit, everything else comes from the server. It names the rate at which each size
stops keeping up. --seconds is the time for all rates and sizes together.
`;

export function addRampCommand(probe: Command, parts: ExperimentIo): void {
  const ramp = addExperimentCommand(probe, {
    name: 'ramp',
    description: 'arrivals that do not wait, faster and faster, at several pool sizes',
    seconds: 30,
    help,
  })
    .option('--rates <list>', 'arrivals per second', readCounts(1, 20_000), [100, 300, 500])
    .option('--sizes <list>', 'pool sizes to compare', readCounts(1, 96), [10, 20])
    .option(
      '--wait-limit <ms>',
      'longest wait for a client, as connectionTimeoutMillis',
      readCount(10, 60_000),
      5000,
    )
    .action(async (url: string | undefined, flags: RampFlags, command: Command) => {
      refuseLoneExportOptions(flags, [
        'outputDir',
        'force',
        'parallelism',
        'url',
        'workers',
        'instances',
        'deployOverlap',
      ]);
      if (flags.export !== undefined)
        return exportK6(planRamp(frameOfProbe(url, flags), flags), flags, parts.io);
      const { rates, sizes, waitLimit: waitLimitMs } = flags;
      const request: RampRequest = {
        ...(await readCommon(url, flags, parts.io)),
        experiment: 'ramp',
        rates,
        sizes,
        waitLimitMs,
        max: largestOf(sizes, flags, command),
      };
      parts.io.setExitCode(await runExperiment(request, flags, parts));
    });
  addExportOptions(ramp);
  addExportUrl(ramp);
  addSharingOfExport(ramp);
}
