import { Argument, Command, InvalidArgumentError } from 'commander';
import pc from 'picocolors';
import { exitCodeOf, judge } from './judge.ts';
import { printSoak, soakToJson } from './print-soak.ts';
import { roles, runRole, type RoleName } from './roles/run-role.ts';
import { runSoak } from './run-soak.ts';

interface Options {
  readonly minutes: number;
  readonly seconds?: number;
  readonly json: boolean;
}

const couldNotRun = 2;

const command = new Command('npm run soak --')
  .description(
    'Runs everything of Poolguard that runs for long, all at once beside a throw-away PostgreSQL, and says whether memory, connections, file descriptors or anything else grows.',
  )
  .option('--minutes <number>', 'how long', readPositive, 60)
  .option(
    '--seconds <number>',
    'how long, in place of minutes; below 30 there is little to judge',
    readPositive,
  )
  .option(
    '--json',
    'verdicts and all points as JSON on standard output, in place of the table',
    false,
  )
  .addHelpText(
    'after',
    `
What runs
  panel and listener        the poller with its connection and the panel's model, hidden and shown again now and then;
                            and a listener, with an
  application under watch   that has load, mistakes and short-lived pools, under the monitor
  language server           the shipped one: documents opened, typed into and closed, the workspace checked
  linting loop              src/lint over files that change
  probes                    poolguard probe, one after the other

How to read it
  "early" and "late" are the medians of the first and the last third of the looks after the warm-up, the first quarter of
  the time or, where a part has not gone through all of its work twice by then, longer. "trend" is what the median slope between all pairs of looks (Theil–Sen) comes to over that time. Something
  grows when both the difference of the medians and the trend are above "allowed"; one high look or a saw-tooth is no
  growth. The heap is what is left after a full collection, of all threads. An hour finds leaks that are too slow for a
  minute. Descriptors and processes are only seen on Linux. What a probe left behind is looked for after each.

Exit codes
  0 nothing grows, 1 something grows, 2 could not run. Ctrl-C ends it, and what was seen until then is judged.

Examples
  $ npm run soak
  $ npm run soak -- --seconds 45
  $ npm run soak -- --minutes 240 --json > soak.json`,
  )
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : couldNotRun))
  .action(run);

command
  .command('role', { hidden: true })
  .addArgument(new Argument('<name>').choices(Object.keys(roles)))
  .action((name: RoleName) => runRole(name));

await command.parseAsync();

async function run({ minutes, seconds = minutes * 60, json }: Options): Promise<void> {
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, onSignal);
  try {
    const soaked = await runSoak({ seconds, signal: stop.signal, progress });
    progress('');
    const judged = soaked.series.map((each) => judge(each, seconds / 4));
    process.stdout.write(json ? soakToJson(soaked, judged) : `${printSoak(soaked, judged, pc)}\n`);
    process.exitCode = exitCodeOf(judged);
    if (soaked.failure !== undefined) fail(soaked.failure);
  } catch (problem) {
    fail(problem instanceof Error ? problem.message : String(problem));
  } finally {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, onSignal);
  }
}

function fail(sentence: string): void {
  process.stderr.write(`${pc.red('The soak could not go on:')} ${sentence}\n`);
  process.exitCode = couldNotRun;
}

function progress(text: string): void {
  if (process.stderr.isTTY)
    process.stderr.write(`\r\u001B[2K${text.slice(0, (process.stderr.columns || 80) - 1)}`);
}

function readPositive(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0)
    throw new InvalidArgumentError('It must be a number above 0.');
  return value;
}
