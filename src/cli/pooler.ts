import type { Command } from 'commander';
import { systemClock } from '../activity/clock.ts';
import type { ActivityAnswer, ActivityReader } from '../activity/poller.ts';
import { consoleOf, createPoolerSource } from '../database/pooler-console.ts';
import { emptyPooler, nextPooler } from '../pooler/pooler-model.ts';
import type { PoolerReport } from '../pooler/pooler-report.ts';
import { toJson } from '../text/to-json.ts';
import { columnsOf, type CliIo } from './cli-io.ts';
import { declare } from './command-list.ts';
import { endOf, exitCodes } from './exit-code.ts';
import { describePoolerReport, type PoolerView } from './pooler-text.ts';
import { addTargetOptions, readTarget, type TargetFlags } from './read-target.ts';
import { watch, watchOption } from './watch.ts';

interface PoolerFlags extends TargetFlags {
  readonly json?: true;
  readonly all?: true;
  readonly check?: true;
  /** Seconds; true without a number. */
  readonly watch?: number | true;
}

type Source = ReturnType<typeof createPoolerSource>;

const examples = `
Examples:
  DATABASE_URL=postgres://app@localhost:6432/shop poolguard pooler
  poolguard pooler --watch 1                  refresh every second, until Ctrl-C
  poolguard pooler --all                      every client and server too
  poolguard pooler --json | jq .totals        for programs; with --watch one report a line
  poolguard pooler --check                    for scripts: exit code 1 when something needs attention`;

const teaching = `
How to read it: "waiting" clients have sent a statement and get no backend, because all of their pool are in use; "longest
wait" is how long the first of them has waited. Both are 0 in a pool that is large enough. A backend is assigned for a
transaction (transaction mode) or for as long as the client is connected (session mode), so long transactions make others wait.
Statistics are differences of the pooler's totals, over the second between two samples, or with --watch over up to ten
seconds. What clients wait for a backend is a part of both average times, as PgBouncer measures them.

The string may name any database that goes through the pooler: the console is asked for at the same host and port, as the
same role. That role must be in stats_users (it may look) or admin_users of pgbouncer.ini; to use another one, write
postgres://stats@host:6432/pgbouncer. Poolguard sends SHOW only, over one connection called "poolguard".

Exit codes: 0 fine, 1 something needs attention (with --check), 2 could not run, 130 cancelled.
`;

/** Adds `pooler [url]`. */
export function addPoolerCommand(program: Command, io: CliIo): void {
  const command = declare(program, 'pooler')
    .argument('[url]', 'name of the database, or connection string, through the pooler')
    .addHelpText('after', examples);
  addTargetOptions(command)
    .optionsGroup('What is shown:')
    .option('--all', 'list clients and servers too')
    .addOption(watchOption('refresh every 2 seconds, or as many as given, until Ctrl-C'))
    .option('--check', 'exit with 1 when something needs attention')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', teaching)
    .action(async (url: string | undefined, flags: PoolerFlags) => {
      const { target, secret } = await readTarget(url, flags, io);
      const wantsSockets = flags.all === true;
      const source = createPoolerSource(consoleOf(target), secret, {
        wantsSockets: () => wantsSockets,
        now: () => new Date(),
        elapsed: () => performance.now(),
      });
      if (flags.watch === undefined) await showOnce(source, flags, io);
      else
        await watch(
          {
            source,
            seconds: flags.watch === true ? 2 : flags.watch,
            describe: flags.json ? null : describeEach(io),
          },
          io,
        );
    });
}

async function showOnce(source: Source, { json, check }: PoolerFlags, io: CliIo): Promise<void> {
  const opened = await source.open(io.signal);
  if (opened.kind === 'failed') throw endOf(opened.failure, io);
  const answer = await readTwice(opened.reader, io.signal);
  await opened.reader.close();
  if (answer.kind === 'failed') throw endOf(answer.failure, io);
  const { concerns } = nextPooler(emptyPooler, answer.report);
  io.stdout.write(
    json
      ? `${toJson(answer.report, 2)}\n`
      : `${describePoolerReport(answer.report, concerns, viewOf(io))}\n`,
  );
  if (check && concerns.length > 0) io.setExitCode(exitCodes.findings);
}

/** Statistics are the difference of two samples. */
const betweenMs = 1_000;

async function readTwice(
  reader: ActivityReader<PoolerReport>,
  signal: AbortSignal,
): Promise<ActivityAnswer<PoolerReport>> {
  const first = await reader.read();
  if (first.kind === 'failed') return first;
  await systemClock.sleep(betweenMs, signal);
  return reader.read();
}

/** Remembers earlier looks, which tell a steady wait from a passing one. */
function describeEach(io: CliIo): (report: PoolerReport) => string {
  let model = emptyPooler;
  return (report) => {
    if (report !== model.report) model = nextPooler(model, report);
    return describePoolerReport(report, model.concerns, viewOf(io));
  };
}

function viewOf({ isColored, stdout }: CliIo): PoolerView {
  return { isColored, columns: columnsOf(stdout) };
}
