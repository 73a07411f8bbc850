import { type Command, Option } from 'commander';
import { planUsers } from '../../k6/plan-k6.ts';
import type { UserStage } from '../../probe/experiment.ts';
import type { UsersRequest } from '../../probe/request.ts';
import { fieldReportStages, stretchStages, usersDefaults } from '../../probe/users/users-at.ts';
import { CouldNotRun } from '../exit-code.ts';
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
import { readCounts, readStages } from './options/read-list.ts';
import {
  readCommon,
  runExperiment,
  type CommonFlags,
  type ExperimentIo,
} from './run-experiment.ts';

interface SweepFlags extends CommonFlags, ExportUrlFlags, Partial<SharingFlags> {
  readonly sizes: readonly number[];
  readonly think: number;
  readonly stages?: readonly UserStage[];
  readonly profile: 'short' | 'field-report';
}

const help = `
Examples:
  poolguard probe sweep postgres://app@localhost/shop --sql "SELECT * FROM users LIMIT 100"
  poolguard probe sweep --sizes 5,10,20 --stages 5s:20,10s:80,5s:0 --think 50
  poolguard probe sweep --profile field-report       95 s for each size, up to 150 users

Each user asks, waits for the answer, pauses, and asks again. The stages say how many users there are: their number rises or falls
evenly to that of each stage. The pool sizes run one after the other, in random order. The table has requests, average, p95, the
longest queue and what each further connection brought; where users still wait at the largest size, no size is recommended.
--seconds is the time for all sizes together in the short profile; stages of your own take as long as they say.
`;

/** Least time in which stages can show anything, in seconds. */
const shortest = 3;
/** Opening and closing a pool, in seconds. */
const switching = 0.5;

export function addSweepCommand(probe: Command, parts: ExperimentIo): void {
  const sweep = addExperimentCommand(probe, {
    name: 'sweep',
    description: 'users with pauses, in stages, against one pool size after the other',
    seconds: 60,
    help,
  })
    .option('--sizes <list>', 'pool sizes to compare', readCounts(1, 96), usersDefaults.sizes)
    .option(
      '--think <ms>',
      'pause of each user after an answer',
      readCount(0, 60_000),
      usersDefaults.thinkMs,
    )
    .option(
      '--stages <list>',
      'length and users at its end, for each stage: 10s:10,20s:30,10s:0',
      readStages,
    )
    .addOption(
      new Option(
        '--profile <name>',
        'stages by name: those of a field report, or the same in short',
      )
        .choices(['short', 'field-report'])
        .default('short'),
    )
    .action((url: string | undefined, flags: SweepFlags, command: Command) =>
      runSweep(url, flags, command, parts),
    );
  addExportOptions(sweep);
  addExportUrl(sweep);
  addSharingOfExport(sweep);
}

async function runSweep(
  url: string | undefined,
  flags: SweepFlags,
  command: Command,
  parts: ExperimentIo,
): Promise<void> {
  const { io } = parts;
  const { think: thinkMs, sizes } = flags;
  refuseLoneExportOptions(flags, [
    'outputDir',
    'force',
    'parallelism',
    'url',
    'workers',
    'instances',
    'deployOverlap',
  ]);
  if (flags.export !== undefined) {
    const plan = planUsers(frameOfProbe(url, flags), {
      origin: 'probe sweep',
      stages: toStages(flags),
      thinkMs,
      sizes,
    });
    if (plan === null)
      throw new CouldNotRun(
        'The stages have no users. Use the form 10s:10,20s:30: the length of each stage, and the number of users at its end.',
      );
    return exportK6(plan, flags, io);
  }
  const request: UsersRequest = {
    ...(await readCommon(url, flags, io)),
    experiment: 'users',
    sizes,
    thinkMs,
    max: largestOf(sizes, flags, command),
    stages: toStages(flags),
  };
  io.setExitCode(await runExperiment(request, flags, parts));
}

function toStages({ stages, profile, seconds, sizes }: SweepFlags): readonly UserStage[] {
  if (stages !== undefined) return stages;
  if (profile === 'field-report') return fieldReportStages;
  return stretchStages(fieldReportStages, Math.max(shortest, seconds / sizes.length - switching));
}
