import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { connectSession } from '../../database/connect.ts';
import { readProbeServerFacts, type ProbeServerFacts } from '../../database/probe-server.ts';
import type { ConnectionTarget } from '../../database/target.ts';
import type { AdviseResult, ObservedLoad } from '../../probe/advise/advice.ts';
import { adviseBy, type Demand } from '../../probe/advise/formulas.ts';
import { coresOfServer, observeLoad } from '../../probe/advise/observe.ts';
import { applyLimits, countPools } from '../../probe/limits/apply-limits.ts';
import { noteOnLooking } from '../../probe/preflight/role-guard.ts';
import { schemaVersion } from '../../probe/result-head.ts';
import type { CliIo } from '../cli-io.ts';
import { CouldNotRun, exitCodes } from '../exit-code.ts';
import { isTargetNamed, readTarget, type TargetFlags } from '../read-target.ts';
import type { NamedTarget } from '../target-files.ts';
import { addSharingOptions, readSharing, type SharingFlags } from './options/limit-options.ts';
import { addOutputOptions, printResult, type OutputFlags } from './options/output-options.ts';
import { readCount } from './options/read-count.ts';
import { readPositive } from './options/read-list.ts';
import { addProbeTarget, type ExperimentIo } from './run-experiment.ts';

interface AdviseFlags extends SharingFlags, OutputFlags, TargetFlags {
  readonly cores?: number;
  readonly users?: number;
  readonly rate?: number;
  readonly hold?: number;
}

const help = `
Examples:
  poolguard probe advise postgres://app@localhost/shop --workers 4
  poolguard probe advise --rate 800 --hold 15
  poolguard probe advise postgres://app@db.example.com/shop --cores 8 --users 150 --hold 150

Prints what the formulas of the field answer, each with its numbers, and what the server's own statistics say (PostgreSQL 14 and newer).
It reads only, puts no load on the server, and works without one. All of it is a starting guess: for the same two cores the formulas
say 4 to 48, and poolguard probe measures. --hold is how long a request keeps its client, which is more than its statement takes.
`;

export function addAdviseCommand(probe: Command, { io }: ExperimentIo): void {
  const command = probe
    .command('advise')
    .description('what formulas and the statistics of the server say, without any load')
    .addHelpText('after', `\n${help.trim()}`);
  addProbeTarget(command)
    .optionsGroup('The experiment:')
    .option(
      '--cores <cores>',
      'of the machine that PostgreSQL runs on (default: of this one, if it runs here)',
      readCount(1, 1024),
    )
    .option('--rate <requests>', 'requests per second of one pool at the peak', readPositive(1e6))
    .option('--users <users>', 'users at once', readCount(1, 1e6))
    .option('--hold <ms>', 'how long a request holds its client', readPositive(60_000));
  addSharingOptions(command);
  addOutputOptions(command);
  command.action(async (url: string | undefined, flags: AdviseFlags) => {
    printResult(await advise(url, flags, io), flags, io);
    io.setExitCode(exitCodes.fine);
  });
}

interface Looked {
  readonly facts: ProbeServerFacts;
  readonly observed: ObservedLoad | null;
  readonly target: ConnectionTarget;
  /** About the role that looked. */
  readonly notes: readonly string[];
}

async function advise(
  url: string | undefined,
  flags: AdviseFlags,
  io: CliIo,
): Promise<AdviseResult> {
  const demand = readDemand(flags);
  const sharing = readSharing(flags);
  const named = await findTarget(url, flags, io);
  const looked = named === null ? null : await look(named, io);
  const limits =
    looked === null
      ? { pools: countPools(sharing), limits: [], binding: null }
      : applyLimits(sharing, { ...looked.facts, othersNow: looked.facts.used - 1 });
  const serverCores = flags.cores ?? (looked === null ? null : coresOfServer(looked.target));
  const connections = looked === null ? null : looked.facts.maxConnections - looked.facts.reserved;
  const advice = adviseBy({
    serverCores,
    applicationCores: availableParallelism(),
    connections,
    pools: limits.pools,
    demand,
    observed: looked?.observed ?? null,
  });
  const server =
    looked === null
      ? null
      : {
          version: looked.facts.version,
          host: looked.target.host,
          port: looked.target.port,
          database: looked.target.database,
          pooler: null,
        };
  return {
    schemaVersion,
    experiment: 'advise',
    server,
    advice,
    limits,
    notes: [...listNotes({ serverCores, demand, looked }), ...(looked?.notes ?? [])],
  };
}

/** Null where nobody named a database: formulas need none. */
async function findTarget(
  url: string | undefined,
  flags: AdviseFlags,
  io: CliIo,
): Promise<NamedTarget | null> {
  return isTargetNamed(url, flags, io) ? readTarget(url, flags, io) : null;
}

async function look({ target, secret }: NamedTarget, { signal }: CliIo): Promise<Looked> {
  let breach: string | undefined;
  const onBreach = (sentence: string) => void (breach ??= sentence);
  const answer = await connectSession(target, secret, { signal, onBreach });
  if (answer.kind === 'failed') throw new CouldNotRun(answer.failure.sentence);
  const { session } = answer;
  try {
    const read = await readProbeServerFacts(session);
    if (read.kind === 'failed') throw new CouldNotRun(read.failure.sentence);
    const [facts] = read.rows;
    if (facts === undefined)
      throw new CouldNotRun('The server does not say how many connections it takes.');
    const observed = await observeLoad(session);
    const notes = await noteOnLooking(session);
    if (breach !== undefined) throw new CouldNotRun(breach);
    return { facts, observed, target, notes };
  } finally {
    await session.close();
  }
}

function readDemand(flags: AdviseFlags): Demand | null {
  const { hold: holdMs } = flags;
  const [users, rate] = [flags.users ?? null, flags.rate ?? null];
  if (holdMs === undefined && (users !== null || rate !== null))
    throw new CouldNotRun(
      '--users and --rate need --hold, how long a request holds its client in milliseconds: demand is their product.',
    );
  if (holdMs !== undefined && users === null && rate === null)
    throw new CouldNotRun(
      '--hold needs --rate, requests per second at the peak, or --users: demand is their product.',
    );
  return holdMs === undefined ? null : { holdMs, users, rate };
}

function* listNotes({
  serverCores,
  demand,
  looked,
}: {
  readonly serverCores: number | null;
  readonly demand: Demand | null;
  readonly looked: Looked | null;
}): Generator<string> {
  yield 'All of these are starting guesses: none of the formulas has seen your statements. poolguard probe measures.';
  if (serverCores === null)
    yield 'How many cores the server has cannot be seen from here: say --cores to see the formulas that count them.';
  if (demand === null) yield 'Say --rate and --hold to see what demand needs.';
  if (looked !== null && looked.observed === null)
    yield "The server's statistics say too little about its load: they need a minute of statements since they were last reset, and PostgreSQL 14 or newer.";
}
