import type { Command } from 'commander';
import { commonDefaults, type Access, type ConnectRequest } from '../../probe/request.ts';
import type { CliIo } from '../cli-io.ts';
import { readTarget, type TargetFlags } from '../read-target.ts';
import { addExperimentCommand } from './experiment-command.ts';
import { readCount } from './options/read-count.ts';
import { addOutputOptions, type OutputFlags } from './options/output-options.ts';
import { addSafetyOptions, readSafety, type SafetyFlags } from './options/safety-options.ts';
import {
  addProbeTarget,
  readProbeTarget,
  runExperiment,
  type ExperimentIo,
} from './run-experiment.ts';

interface ConnectFlags extends TargetFlags, SafetyFlags, OutputFlags {
  readonly pooler?: string;
  readonly times: number;
  readonly concurrent: number;
}

const help = `
Examples:
  poolguard probe connect postgres://app@localhost:5432/shop
  poolguard probe connect postgres://app@localhost:5432/shop --pooler postgres://app@localhost:6432/shop
  poolguard probe connect --times 200 --concurrent 10

Opens connections one after the other, and then several at once, and splits their time into name look-up, TCP, TLS, authentication
and first query (SELECT 1). With --pooler the same goes through the pooler, in turn with the direct ones. Timed within one process:
starting psql a hundred times would mostly measure the start of psql.
`;

export function addConnectCommand(probe: Command, parts: ExperimentIo): void {
  addExperimentCommand(probe, {
    name: 'connect',
    description: 'what a new connection costs, by phase, directly and through a pooler',
    seconds: 20,
    help,
    options: [addProbeTarget, addSafetyOptions, addOutputOptions],
  })
    .option('--pooler <url>', 'connection string of the pooler, for the second path')
    .option(
      '--times <connections>',
      'connections one after the other, on each path',
      readCount(1, 10_000),
      100,
    )
    .option('--concurrent <connections>', 'connections at once, on each path', readCount(1, 96), 20)
    .action(async (url: string | undefined, flags: ConnectFlags) => {
      const { times, concurrent } = flags;
      const pooler = await readPooler(flags.pooler, parts.io);
      const request: ConnectRequest = {
        ...commonDefaults,
        ...(await readProbeTarget(url, flags, parts.io)),
        ...readSafety(flags),
        experiment: 'connect',
        pooler,
        times,
        concurrent,
        max: Math.max(2, concurrent),
      };
      parts.io.setExitCode(await runExperiment(request, flags, parts));
    });
}

async function readPooler(text: string | undefined, io: CliIo): Promise<Access | null> {
  return text === undefined ? null : readTarget(text, {}, io);
}
