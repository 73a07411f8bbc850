import type { Command } from 'commander';
import { join } from 'node:path';
import { planProbe } from '../../k6/plan-k6.ts';
import { sizeDefaults } from '../../probe/request.ts';
import type { CliIo } from '../cli-io.ts';
import { declare } from '../command-list.ts';
import { exitCodes } from '../exit-code.ts';
import { exportK6 } from '../export/export-k6.ts';
import {
  addExportOptions,
  addExportUrl,
  refuseLoneExportOptions,
  type ExportUrlFlags,
} from '../export/export-options.ts';
import { frameOfProbe } from '../export/export-probe.ts';
import { addAdviseCommand } from './advise-command.ts';
import { judgeAgainst, readBaseline, withBaseline } from './baseline.ts';
import { addCompareCommand } from './compare-command.ts';
import { addConnectCommand } from './connect-command.ts';
import { addSharingOptions, readSharing, type SharingFlags } from './options/limit-options.ts';
import { readCounts } from './options/read-list.ts';
import { addThreadOption, type ThreadFlags } from './options/safety-options.ts';
import { addRampCommand } from './ramp-command.ts';
import {
  commonOptions,
  readCommon,
  runExperiment,
  type CommonFlags,
  type ExperimentIo,
} from './run-experiment.ts';
import { addSpikeCommand } from './spike-command.ts';
import { addSweepCommand } from './sweep-command.ts';

interface SizeFlags extends CommonFlags, SharingFlags, ThreadFlags, ExportUrlFlags {
  readonly validate: boolean;
  readonly baseline?: string;
  readonly rates?: readonly number[];
}

const examples = `
Examples:
  poolguard probe postgres://app@localhost:5432/shop --sql "SELECT * FROM users LIMIT 100"
  poolguard probe --sql 'SELECT * FROM users WHERE id = $1' --param 1..100000
  poolguard probe --sql "SELECT …" --workers 4      address from DATABASE_URL or the PG* variables
  poolguard probe postgres://app@localhost/shop --dry-run
  poolguard probe --yes --output probe.json
  poolguard probe --output report.html
  poolguard probe --yes --baseline probe.json        for a build server: is that max still right?
  poolguard probe --export k6 --baseline probe.json  the same rates over HTTP, as a script for k6

The probe opens its connections once and lets 1, 2, 3, … of them work by turns for fractions of a second. It recommends the smallest
size that reaches 90 % of the best throughput. It reads only unless --allow-writes is given, leaves half of the free connections and at
least five to others, and refuses targets that look like production unless --allow-production is given. It runs as an ordinary role: a superuser is
refused, with the SQL for a role that suffices, unless --allow-role names it. It shows its plan and asks before it begins. Where other
programs use the processors or the statement is slow, it may take up to ${sizeDefaults.atMostSeconds} s, unless --seconds says how long.

Other questions have commands of their own, each with examples in its --help:
  poolguard probe sweep      users with pauses against several pool sizes: requests, average, p95, longest queue, gain
  poolguard probe ramp       how many arrivals a second each size stands
  poolguard probe compare    new connection per request, one client, a pool, a pipelined client
  poolguard probe connect    what a new connection costs, directly and through a pooler
  poolguard probe spike      what a stall of the server would do (a model, needs no database)
  poolguard probe advise     what formulas and the server's statistics say (no load)

Exit codes: 0 measured (a size was found, or the database is not the limit), 1 too noisy to name one, 2 could not run, 130 cancelled. With --baseline: 0 still right, 1 changed,
2 could not run or too noisy to judge.
`;

/** The experiments that are commands under \`probe\`: a row each. */
const experimentCommands: readonly ((probe: Command, parts: ExperimentIo) => void)[] = [
  addSweepCommand,
  addConnectCommand,
  addCompareCommand,
  addRampCommand,
  addSpikeCommand,
  addAdviseCommand,
];

/** Adds `probe [url]` and the experiments below it. The measuring process is `dist/probe.cjs`, which lies beside the bundle of the command line. */
export function addProbeCommand(
  program: Command,
  io: CliIo,
  processPath = join(__dirname, 'probe.cjs'),
): void {
  const probe = declare(program, 'probe')
    // Options behind a command below this one are that command's.
    .enablePositionalOptions()
    .addHelpText('after', examples);
  for (const add of [...commonOptions, addSharingOptions, addThreadOption]) add(probe);
  probe
    .optionsGroup('The experiment:')
    .option('--no-validate', 'skip the check with a real pool')
    .option(
      '--baseline <result.json>',
      'judge whether the max of an earlier result is still right, with its statements unless others are given',
    )
    .action(async (url: string | undefined, flags: SizeFlags, command: Command) => {
      refuseLoneExportOptions(flags, ['outputDir', 'force', 'parallelism', 'url', 'rates']);
      const baseline = flags.baseline === undefined ? null : readBaseline(flags.baseline);
      if (flags.export !== undefined)
        return exportK6(
          planProbe(frameOfProbe(url, flags), {
            seconds: flags.seconds,
            rates: flags.rates ?? null,
            earlier: baseline,
          }),
          flags,
          io,
        );
      const request = {
        ...sizeDefaults,
        ...(await readCommon(url, flags, io)),
        ...readSharing(flags),
        threads: flags.threads,
        ...(command.getOptionValueSource('seconds') !== 'default' && {
          atMostSeconds: flags.seconds,
        }),
        validate: flags.validate,
      };
      io.setExitCode(
        await (baseline === null
          ? runExperiment(request, flags, { io, processPath })
          : runExperiment(withBaseline(request, baseline), flags, { io, processPath }, (result) =>
              result.experiment === 'size'
                ? judgeAgainst(baseline, result, Math.random)
                : { result, exitCode: exitCodes.fine },
            )),
      );
    });
  addExport(probe);
  for (const add of experimentCommands) add(probe, { io, processPath });
}

/** The measured rates as a script for another tool. */
function addExport(probe: Command): void {
  addExportOptions(probe);
  addExportUrl(probe);
  probe.option(
    '--rates <list>',
    'of --export: arrivals per second at one pool (default: by --baseline, else 100,300,500)',
    readCounts(1, 20_000),
  );
}
