import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { Option, type Command } from 'commander';
import { toPlainLines } from '../../activity/plain-text.ts';
import { defaultUrl } from '../../k6/script-request.ts';
import { systemClock } from '../../probe/clock.ts';
import { createRandom } from '../../probe/random.ts';
import { usersDefaults } from '../../probe/users/users-at.ts';
import { listen } from '../../running/listener.ts';
import { conductSweep } from '../../sweep/conduct-sweep.ts';
import { createUndiciTool } from '../../sweep/load/undici-tool.ts';
import { createK6Tool } from '../../sweep/load/k6-tool.ts';
import type { LoadTool } from '../../sweep/load/load-tool.ts';
import type { SweepEvent, SweepRequest, SweepEnvironment } from '../../sweep/sweep-request.ts';
import type { SweepResult, SweepVerdict } from '../../sweep/sweep-result.ts';
import { toJson } from '../../text/to-json.ts';
import { columnsOf, type CliIo } from '../cli-io.ts';
import { declare } from '../command-list.ts';
import { exitCodes } from '../exit-code.ts';
import { addExportOptions, refuseLoneExportOptions } from '../export/export-options.ts';
import { exportSweep } from '../export/export-sweep.ts';
import { askToBegin } from '../probe/ask-to-begin.ts';
import { addSharingOptions } from '../probe/options/limit-options.ts';
import { addOutputOptions, formatOf, printMeasured } from '../probe/options/output-options.ts';
import { readCount } from '../probe/options/read-count.ts';
import { readCounts, readPositive, readStages } from '../probe/options/read-list.ts';
import { addTargetOptions } from '../read-target.ts';
import { hideSecrets } from './hide-secrets.ts';
import { addHttpOptions, readHttp } from './http-options.ts';
import { createSweepProgress, formatPlan } from './sweep-progress.ts';
import { readRequest, toStages, type SweepFlags } from './read-sweep.ts';

/** The bundles that lie beside that of the command line. */
export interface SweepPaths {
  readonly keeper: string;
  readonly monitor: string;
}

const besideThis: SweepPaths = {
  keeper: join(__dirname, 'app-keeper.cjs'),
  monitor: join(__dirname, 'pool-watch.cjs'),
};
/** As shells report a program that Ctrl-C ended; the same for a plan that nobody agreed to. */
const cancelled = 130;
/** What makes the load: a row each. */
const tools: Readonly<Record<LoadTool['name'], (environment: CliIo['env']) => LoadTool>> = {
  undici: () => createUndiciTool(),
  k6: createK6Tool,
};

/** Adds `sweep`: the user's own application under load, with one pool size after the other. */
export function addSweepCommand(program: Command, io: CliIo, paths = besideThis): void {
  const command = declare(program, 'sweep')
    .addHelpText('after', `\n${sweepHelp.trim()}`)
    .optionsGroup('The application:')
    .option('--start <command>', 'what starts the application, for the shell: "npm run dev"')
    .addOption(
      new Option('--env <variable>', 'the environment variable with its pool size')
        .default('POOL_MAX')
        .conflicts('live'),
    )
    .option('--live', 'start it once, and change max of its pool while it runs')
    .option('--sizes <list>', 'pool sizes to compare', readCounts(1, 1000), usersDefaults.sizes);
  addLoadOptions(command);
  addTargetOptions(
    command
      .optionsGroup('Database:')
      .option(
        '--database <url>',
        'database of the application, to monitor its sessions and limits (default: DATABASE_URL or PG*, where set)',
      ),
  )
    .optionsGroup('Time and consent:')
    .option('--dry-run', 'say what would be done; nothing is started')
    .option('-y, --yes', 'start without asking; required when non-interactive')
    .option('--allow-production', 'load a database that looks like production');
  addSharingOptions(command);
  addOutputOptions(command);
  addExportOptions(command);
  command.action(async (flags: SweepFlags) => io.setExitCode(await runSweep(flags, io, paths)));
}

function addLoadOptions(command: Command): void {
  addHttpOptions(command.optionsGroup('The load:'))
    .option(
      '--stages <list>',
      'length and users at its end, for each stage: 10s:10,20s:30,10s:0 (default: those of a field report, 95 s and up to 150 users)',
      readStages,
    )
    .addOption(
      new Option(
        '--users <users>',
        'users at once instead of stages: they come within the first fifth',
      )
        .argParser(readCount(1, 5000))
        .conflicts('stages'),
    )
    .addOption(
      new Option(
        '--seconds <seconds>',
        'time for each size: of the users (default: 20), or of the default stages in less or more time',
      )
        .argParser(readPositive(3600))
        .conflicts('stages'),
    )
    .option(
      '--think <ms>',
      'pause of each user after an answer',
      readCount(0, 60_000),
      usersDefaults.thinkMs,
    )
    .option(
      '--passes <count>',
      'turns of each size, all sizes in random order in each',
      readCount(1, 10),
      2,
    )
    .option('--ready-url <url>', 'asked until the application answers (default: --url)')
    .option('--ready-timeout <seconds>', 'for the application to answer', readPositive(3600), 60)
    .option('--stop-timeout <seconds>', 'between SIGTERM and SIGKILL', readPositive(600), 10)
    .option('--cwd <folder>', 'where the application is started')
    .addOption(
      new Option('--load <tool>', 'what makes the load; k6 must be installed')
        .choices(Object.keys(tools))
        .default('undici'),
    );
}

async function runSweep(flags: SweepFlags, io: CliIo, paths: SweepPaths): Promise<number> {
  formatOf(flags);
  refuseLoneExportOptions(flags, ['outputDir', 'force', 'parallelism']);
  if (flags.export !== undefined) {
    exportSweep(await readHttp(flags, io.cwd, defaultUrl), toStages(flags), flags, io);
    return exitCodes.fine;
  }
  const request = await readRequest(flags, io);
  if (!request.dryRun && flags.yes !== true && io.onKey === undefined)
    return refuseUnasked(request, flags, io, paths);
  const show = createSweepProgress(io.stderr);
  let isDeclined = false;
  const last = await conductSweep(request, {
    ...environmentOf(flags, io, paths),
    emit: (event) => show(hideSecrets(event)),
    confirm: async () => {
      const agreed =
        flags.yes === true ||
        io.onKey === undefined ||
        (await askToBegin({ onKey: io.onKey, stderr: io.stderr }, io.signal));
      isDeclined = !agreed;
      return agreed;
    },
  });
  if (last.kind !== 'plan') show(last);
  return report(hideSecrets(last), isDeclined, flags, io);
}

/** Shows the plan, and says how to agree to it. */
async function refuseUnasked(
  request: SweepRequest,
  flags: SweepFlags,
  io: CliIo,
  paths: SweepPaths,
): Promise<number> {
  const last = hideSecrets(
    await conductSweep(
      { ...request, dryRun: true },
      {
        ...environmentOf(flags, io, paths),
        emit: () => undefined,
        confirm: () => Promise.resolve(false),
      },
    ),
  );
  if (last.kind !== 'plan') return report(last, false, flags, io);
  io.stderr.write(
    `${formatPlan(last.plan, columnsOf(io.stderr))}This terminal is not interactive, so the plan cannot be confirmed. Add --yes to start without asking.\n`,
  );
  return exitCodes.couldNotRun;
}

function environmentOf(
  flags: SweepFlags,
  io: CliIo,
  paths: SweepPaths,
): Omit<SweepEnvironment, 'emit' | 'confirm'> {
  return {
    tool: tools[flags.load](io.env),
    signal: io.signal,
    clock: systemClock,
    random: createRandom(randomInt(2 ** 32)),
    environment: io.env,
    keeperPath: paths.keeper,
    listen: (events) => listen({ ...events, registerPath: paths.monitor }),
    startedAt: new Date().toISOString(),
  };
}

function report(last: SweepEvent, isDeclined: boolean, flags: SweepFlags, io: CliIo): number {
  switch (last.kind) {
    case 'result':
      printMeasured(last.result, flags, io);
      return sweepExitCode(last.result);
    case 'plan':
      io.stdout.write(
        formatOf(flags) === 'json'
          ? `${toJson(last.plan, 2)}\n`
          : formatPlan(last.plan, columnsOf(io.stdout)),
      );
      return exitCodes.fine;
    case 'cancelled':
      io.stderr.write(
        isDeclined
          ? 'Nothing was started.\n'
          : 'Cancelled; the application and all that it started are gone.\n',
      );
      return cancelled;
    case 'failed':
    case 'progress':
      io.stderr.write(
        `${last.kind === 'failed' ? toPlainLines(last.sentence) : 'The sweep gave no answer.'}\n`,
      );
      return exitCodes.couldNotRun;
  }
}

const sweepHelp = `
Examples:
  poolguard sweep --start "npm run dev" --url http://localhost:3000/users
  poolguard sweep --start "node server.js" --env DB_POOL_SIZE --sizes 5,10,20 --url http://localhost:3000/users --users 100 --seconds 15
  poolguard sweep --start "node server.js" --url http://localhost:3000/orders --body @order.json --header 'Authorization: Bearer …'
  poolguard sweep --start "npm start" --url http://localhost:3000/users --live --yes --output sweep.html
  poolguard sweep --url http://localhost:3000/users --export k6

The application is started once for each size and pass, with the size in --env, and stopped again with everything that it started. It
must be Node.js with pg or pg-pool: poolguard-monitor, loaded through NODE_OPTIONS, reports its queue, waits and holds. Nothing has to be
installed or changed in it, except that it reads the variable: new Pool({ max: Number(process.env.POOL_MAX ?? 10) }).

Each user asks, waits for the answer, pauses for --think, and asks again. The table has requests, average, p95, the longest queue, and
what each further connection brought. The verdict says when the application's event loop, this machine or the load itself is the limit,
when even the largest size is not enough, when passes differ more than sizes, and when the size is not read. With --database the sessions and limits of the server stand beside.

Exit codes: 0 a size was found or sizes make no difference, 1 partial or no size can be named, 2 could not run, 130 cancelled.
`;

/** What a build server may go on with: a size, or the answer that sizes make no difference. */
const byVerdict: Readonly<Record<SweepVerdict['kind'], 0 | 1>> = {
  found: exitCodes.fine,
  'app-bound': exitCodes.fine,
  'no-difference': exitCodes.fine,
  'not-saturated': exitCodes.findings,
  'host-bound': exitCodes.findings,
  'generator-bound': exitCodes.findings,
  'not-read': exitCodes.findings,
  'one-size': exitCodes.findings,
  'no-answers': exitCodes.findings,
};

/** 0 for a sweep that ran to its end and names a size or tells that sizes make no difference, else 1. */
export function sweepExitCode({
  verdict,
  partial,
}: Pick<SweepResult, 'verdict' | 'partial'>): 0 | 1 {
  return partial === null ? byVerdict[verdict.kind] : exitCodes.findings;
}
