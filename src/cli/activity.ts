import { InvalidArgumentError, Option, type Command } from 'commander';
import * as v from 'valibot';
import { emptyActivity, nextActivity } from '../activity/activity-model.ts';
import { sessionColumns, type SessionColumn } from '../activity/session-list.ts';
import {
  thresholdNames,
  thresholdTable,
  toThresholds,
  type ThresholdName,
  type Thresholds,
  type ThresholdValues,
} from '../activity/thresholds.ts';
import { watchersPatienceMs } from '../database/session-limits.ts';
import { endThrough } from '../database/end-through.ts';
import { createActivitySource } from '../database/read-activity.ts';
import type { DatabaseSession } from '../database/session.ts';
import { within } from '../schema/fields.ts';
import { toJson } from '../text/to-json.ts';
import { describeActivity, type ActivityView } from './activity-text.ts';
import { columnsOf, type CliIo } from './cli-io.ts';
import { declare } from './command-list.ts';
import { endOf, exitCodes } from './exit-code.ts';
import { addTargetOptions, readTarget, type TargetFlags } from './read-target.ts';
import { watchOption } from './watch.ts';
import { watchActivity } from './watch-activity.ts';
import { keysHint, toOrder } from './watch-choice.ts';

interface ActivityFlags extends TargetFlags {
  readonly json?: true;
  readonly all?: true;
  readonly hideIdle?: true;
  readonly check?: true;
  readonly sort?: SessionColumn;
  readonly filter?: string;
  readonly threshold?: ThresholdValues;
  /** Seconds; true without a number. */
  readonly watch?: number | true;
}

type Source = ReturnType<typeof createActivitySource>;

const examples = `
Examples:
  DATABASE_URL=postgres://app@localhost/shop poolguard activity
  poolguard activity --watch 5                refresh every five seconds, until q or Ctrl-C
  poolguard activity --all --sort state-age   every session, the longest in its state first
  poolguard activity --filter orders-api      sessions of one application, user, database, state or statement
  poolguard activity --json | jq .headroom    for programs; with --watch one report a line
  poolguard activity --check --threshold idleInTransactionSeconds=30
                                              for scripts: exit code 1 when something needs attention`;

const teaching = `
Poolguard opens one read-only connection, called "poolguard", and closes it. Its own sessions take connections and are
counted as such, apart from what the applications do. Give its role pg_monitor to see every session.

Keys of --watch on a terminal: ${keysHint}

What needs attention passes a threshold; --threshold changes one, and may be given several times:
${thresholdNames.map((name) => `  ${name.padEnd(26)}${String(thresholdTable[name].default).padStart(4)}`).join('\n')}

JSON, of schemaVersion 1: takenAt; server with version, user and what that role may see; headroom with maxConnections,
reserves, usable, used, free, split by state (own for Poolguard's), limits of roles and databases, and forRole, what
this role could still open; sessions with pid, backendStart, application, state, ages in milliseconds, waits, blockedBy
and query. Fields may be added. It has every session: what sorts, filters and hides is for the table. Every text comes
from the database, statements with their literals: show it as text, and check it before you share it.

Exit codes: 0 fine, 1 something needs attention (with --check), 2 could not run, 130 cancelled. Sessions that are hidden from the role
are not judged.
`;

/** Adds `activity [url]`. */
export function addActivityCommand(program: Command, io: CliIo): void {
  const command = declare(program, 'activity')
    .argument('[url]', 'name of the database, or connection string')
    .addHelpText('after', examples);
  addTargetOptions(command)
    .optionsGroup('What is shown:')
    .option('--all', 'list idle, hidden and own sessions too')
    .option('--hide-idle', 'with --all: all but the idle ones')
    .addOption(
      new Option(
        '--sort <column>',
        'sort the sessions; what is blocked or idle in a transaction comes first otherwise',
      ).choices(sessionColumns),
    )
    .option('--filter <text>', 'list the sessions that contain the text')
    .addOption(
      watchOption(
        'refresh every 2 seconds, or as many as given; on a terminal with keys to sort, select, cancel and terminate',
      ),
    )
    .option('--check', 'exit with 1 when something needs attention')
    .option('--threshold <name=number>', 'change what needs attention', collectThreshold)
    .option('--json', 'print the report as JSON')
    .addHelpText('after', teaching)
    .action(async (url: string | undefined, flags: ActivityFlags) => {
      const { target, secret } = await readTarget(url, flags, io);
      const seconds = flags.watch === true ? 2 : (flags.watch ?? 0);
      const thresholds = toThresholds(flags.threshold);
      if (flags.watch === undefined)
        return showOnce(createActivitySource(target, secret), flags, thresholds, io);
      let watching: DatabaseSession | undefined;
      const source = createActivitySource(target, secret, {
        ...watchersLimits(seconds),
        onOpen: (session) => (watching = session),
      });
      await watchActivity({
        source,
        end: (request, signal) => endThrough(watching, { target, secret }, request, signal),
        seconds,
        thresholds,
        view: toView(flags, io),
        printsJson: flags.json === true,
        io,
      });
    });
}

/** A session that says nothing between two samples must not be taken for one whose owner is gone. */
function watchersLimits(seconds: number): {
  readonly backendPatienceMs: number;
  readonly idleSessionTimeoutMs?: number;
} {
  return {
    backendPatienceMs: watchersPatienceMs,
    ...(seconds > 20 && { idleSessionTimeoutMs: 3_000 * seconds }),
  };
}

async function showOnce(
  source: Source,
  flags: ActivityFlags,
  thresholds: Thresholds,
  io: CliIo,
): Promise<void> {
  const { json, check } = flags;
  const view = toView(flags, io);
  const opened = await source.open(io.signal);
  if (opened.kind === 'failed') throw endOf(opened.failure, io);
  const { reader } = opened;
  const answer = await reader.read();
  await reader.close();
  if (answer.kind === 'failed') throw endOf(answer.failure, io);
  const model = nextActivity(emptyActivity, answer.report, { thresholds });
  io.stdout.write(json ? `${toJson(answer.report, 2)}\n` : `${describeActivity(model, view)}\n`);
  if (check && model.concerns.length > 0) io.setExitCode(exitCodes.findings);
}

function toView(
  { all, hideIdle, sort, filter }: ActivityFlags,
  { isColored, stdout }: CliIo,
): ActivityView {
  return {
    isColored,
    columns: columnsOf(stdout),
    listsAll: all === true,
    hidesIdle: hideIdle === true,
    filter: filter ?? '',
    order: sort === undefined ? null : toOrder(sort),
  };
}

function collectThreshold(text: string, earlier: ThresholdValues = {}): ThresholdValues {
  const [word = '', number = ''] = text.split('=');
  const name: ThresholdName | undefined = thresholdNames.find((each) => each === word);
  if (name === undefined) throw new InvalidArgumentError(`Names are ${thresholdNames.join(', ')}.`);
  const { minimum, maximum } = thresholdTable[name];
  const value = Number(number);
  if (number.trim() === '' || !v.is(within(minimum, maximum), value))
    throw new InvalidArgumentError(`${name} is a number between ${minimum} and ${maximum}.`);
  return { ...earlier, [name]: value };
}
