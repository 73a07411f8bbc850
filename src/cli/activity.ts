import type { Command } from 'commander';
import { findConcerns } from '../activity/concern.ts';
import type { ActivityReport } from '../activity/snapshot.ts';
import { watchersPatienceMs } from '../database/client-config.ts';
import { createActivitySource } from '../database/read-activity.ts';
import { describeActivity, type ActivityView } from './activity-text.ts';
import type { CliIo } from './cli-io.ts';
import { CouldNotRun, exitCodes } from './exit-code.ts';
import { readTarget, serviceOption, targetHelp } from './read-target.ts';
import { readSeconds, watch } from './watch.ts';

interface ActivityFlags {
  readonly service?: string;
  readonly json?: true;
  readonly all?: true;
  readonly check?: true;
  /** Seconds; true without a number. */
  readonly watch?: number | true;
}

type Source = ReturnType<typeof createActivitySource>;

const teaching = `${targetHelp}

Poolguard opens one read-only connection, called "poolguard", and closes it. Give its role pg_monitor to see every session.

Examples:
  DATABASE_URL=postgres://app@localhost/shop poolguard activity
  poolguard activity --watch 5                look every five seconds, until Ctrl-C
  poolguard activity --json | jq .headroom    for programs; with --watch one report a line
  poolguard activity --check                  for scripts: exit code 1 when something needs attention

Exit codes: 0 fine, 1 something needs attention (with --check), 2 could not run.
`;

/** Adds `activity [url]`. */
export function addActivityCommand(program: Command, io: CliIo): void {
  program
    .command('activity')
    .description("show who uses the server's connections: headroom, pools, sessions, who blocks whom")
    .argument('[url]', 'connection string; better in DATABASE_URL')
    .option(...serviceOption)
    .option('--all', 'list idle, hidden and own sessions too')
    .option('--watch [seconds]', 'look again and again, every 2 seconds by default, until Ctrl-C', readSeconds)
    .option('--check', 'exit with 1 when something needs attention')
    .option('--json', 'print the report as JSON')
    .option('--no-color', 'no colours; NO_COLOR=1 does the same')
    .addHelpText('after', teaching)
    .action(async (url: string | undefined, flags: ActivityFlags) => {
      const { target, secret } = await readTarget(url, io, flags.service);
      const source = createActivitySource(target, secret, flags.watch === undefined ? {} : { backendPatienceMs: watchersPatienceMs });
      if (flags.watch === undefined) await showOnce(source, flags, io);
      else await watch({ source, seconds: flags.watch === true ? 2 : flags.watch, describe: flags.json ? null : (report: ActivityReport) => describeActivity(report, toView(flags, io)) }, io);
    });
}

async function showOnce(source: Source, flags: ActivityFlags, io: CliIo): Promise<void> {
  const opened = await source.open(io.signal);
  if (opened.kind === 'failed') throw new CouldNotRun(opened.failure.sentence);
  const { reader } = opened;
  const answer = await reader.read();
  await reader.close();
  if (answer.kind === 'failed') throw new CouldNotRun(answer.failure.sentence);
  io.stdout.write(flags.json ? `${JSON.stringify(answer.report, null, 2)}\n` : `${describeActivity(answer.report, toView(flags, io))}\n`);
  if (flags.check && findConcerns(answer.report).length > 0) io.setExitCode(exitCodes.findings);
}

function toView(flags: ActivityFlags, io: CliIo): ActivityView {
  return { isColored: io.isColored, columns: io.stdout.isTTY === true ? (io.stdout.columns ?? null) : null, listsAll: flags.all === true };
}
