import { EventEmitter } from 'node:events';
import type { Command } from 'commander';
import { wrapWords } from '../text/terminal-width.ts';

/** What shows the rest. */
export const wholeHelp = '--help=all';

interface Brief {
  /** Command lines, the usual one first. */
  readonly examples: readonly string[];
  /** The options that most people need, each with a few words. */
  readonly options: readonly (readonly [long: string, what: string])[];
  /** A sentence at its end. */
  readonly hint?: string;
}

const yes = ['--yes', 'begin without asking'] as const;
const sql = ['--sql', 'the statement to run; reads only'] as const;
const param = ['--param', 'values for $1, $2, …: 42, 1..1000 or "a|b|c"'] as const;
const seconds = ['--seconds', 'time for the whole probe'] as const;
const output = ['--output', 'write the result: .html .md .json .csv .txt'] as const;

/** Commands whose whole help is longer than a screen: a row each. */
const briefs: Readonly<Record<string, Brief>> = {
  poolguard: {
    examples: [
      'poolguard lint',
      'DATABASE_URL=postgres://app@localhost/shop poolguard activity --watch',
    ],
    options: [['--version', 'print the version']],
  },
  'poolguard lint': {
    examples: ['poolguard lint', "poolguard lint src '!**/*.test.ts' --max-warnings 0"],
    options: [
      ['--preset', 'recommended, strict or transaction-pooling'],
      ['--rule', 'set a rule to off, warn or error'],
      ['--pooler', 'the pooler in front of the database'],
      ['--format', 'stylish, json or sarif'],
      ['--output-file', 'write the report to a file'],
      ['--quiet', 'report errors only'],
      ['--cache', 'check only files for which something changed'],
    ],
  },
  'poolguard activity': {
    examples: ['poolguard activity postgres://app@localhost/shop', 'poolguard activity --watch 5'],
    options: [
      ['--watch', 'refresh; select, cancel and terminate sessions by keys'],
      ['--all', 'list idle, hidden and own sessions too'],
      ['--filter', 'list the sessions that contain the text'],
      ['--sort', 'sort the sessions'],
      ['--check', 'exit with 1 when something needs attention'],
      ['--json', 'print the report as JSON'],
    ],
  },
  'poolguard pooler': {
    examples: ['poolguard pooler postgres://app@localhost:6432/shop', 'poolguard pooler --watch 1'],
    options: [
      ['--watch', 'refresh until Ctrl-C'],
      ['--all', 'list clients and servers too'],
      ['--check', 'exit with 1 when something needs attention'],
      ['--json', 'print the report as JSON'],
    ],
  },
  'poolguard probe': {
    examples: [
      "poolguard probe --sql 'SELECT * FROM users WHERE id = $1' --param 1..100000",
      'poolguard probe postgres://app@localhost/shop --dry-run',
    ],
    options: [
      sql,
      param,
      ['--from-code', 'the statements of a route or file of your code'],
      ['--max', 'largest pool size to try'],
      ['--workers', 'processes of one instance that have a pool each'],
      ['--dry-run', 'show the plan, run nothing'],
      yes,
      output,
    ],
    hint: 'Other experiments: poolguard probe sweep, ramp, compare, connect, spike or advise, each with its own --help.',
  },
  'poolguard probe sweep': {
    examples: [
      'poolguard probe sweep postgres://app@localhost/shop --sql "SELECT …"',
      'poolguard probe sweep --sizes 5,10,20 --yes --output sweep.html',
    ],
    options: [
      sql,
      ['--sizes', 'pool sizes to compare'],
      ['--stages', 'length and users of each stage: 10s:10,20s:30'],
      ['--think', 'pause of each user after a response'],
      yes,
      output,
    ],
  },
  'poolguard probe ramp': {
    examples: [
      'poolguard probe ramp postgres://app@localhost/shop --sql "SELECT …"',
      'poolguard probe ramp --rates 100,300,500 --sizes 10,20',
    ],
    options: [
      sql,
      ['--rates', 'arrivals per second'],
      ['--sizes', 'pool sizes to compare'],
      ['--wait-limit', 'longest wait, as connectionTimeoutMillis'],
      seconds,
      yes,
      output,
    ],
  },
  'poolguard probe compare': {
    examples: [
      'poolguard probe compare postgres://app@localhost/shop --sql "SELECT …"',
      'poolguard probe compare --callers 20,200 --pool 10',
    ],
    options: [
      sql,
      ['--callers', 'callers at once'],
      ['--pool', 'max of the pool'],
      seconds,
      yes,
      output,
    ],
  },
  'poolguard probe connect': {
    examples: [
      'poolguard probe connect postgres://app@localhost:5432/shop',
      'poolguard probe connect --pooler postgres://app@localhost:6432/shop',
    ],
    options: [
      ['--pooler', 'connection string of the pooler, to compare with'],
      ['--times', 'connections one after the other'],
      ['--concurrent', 'connections at once'],
      yes,
      output,
    ],
  },
  'poolguard probe spike': {
    examples: [
      'poolguard probe spike --rate 800 --hold 15 --spike-hold 200',
      'poolguard probe spike --sql "SELECT …" --rate 300 --sizes 10,20',
    ],
    options: [
      ['--rate', 'requests per second'],
      ['--hold', 'how long a request holds its client, in ms'],
      ['--spike-hold', 'the same during the spike'],
      ['--spike-seconds', 'length of the spike'],
      ['--sizes', 'pool sizes to compare'],
      ['--wait-limit', 'connectionTimeoutMillis'],
      output,
    ],
  },
  'poolguard probe advise': {
    examples: [
      'poolguard probe advise postgres://app@localhost/shop --workers 4',
      'poolguard probe advise --rate 800 --hold 15',
    ],
    options: [
      ['--cores', 'of the machine that PostgreSQL runs on'],
      ['--rate', 'requests per second of one pool at the peak'],
      ['--users', 'users at once'],
      ['--hold', 'how long a request holds its client, in ms'],
      ['--workers', 'processes of one instance that have a pool each'],
      output,
    ],
  },
  'poolguard sweep': {
    examples: [
      'poolguard sweep --start "npm run dev" --url http://localhost:3000/users',
      'poolguard sweep --url http://localhost:3000/users --export k6',
    ],
    options: [
      ['--start', 'what starts the application'],
      ['--url', 'what every user requests; on this machine'],
      ['--env', 'the variable that sets its pool size'],
      ['--sizes', 'pool sizes to compare'],
      ['--users', 'users at once'],
      ['--seconds', 'time for each size'],
      ['--database', 'database of the application'],
      ['--export', 'write a k6 script instead of making the load'],
      yes,
      output,
    ],
  },
  'poolguard report': {
    examples: ['poolguard report result.json', 'poolguard report result.json --output report.html'],
    options: [['--format', 'terminal, markdown, json, csv or html'], output],
  },
};

const widest = 80;

/** Makes `--help` of a command one screen; what is left out stands under `--help=all`. */
export function shortenHelp(command: Command): void {
  const brief = briefs[fullName(command)];
  if (brief === undefined) return;
  // Examples and explanations of the whole help.
  if (command instanceof EventEmitter) command.removeAllListeners('afterHelp');
  command.configureHelp({ ...command.configureHelp(), formatHelp: () => write(command, brief) });
}

function write(command: Command, { examples, options, hint }: Brief): string {
  const name = fullName(command);
  const rows = options.map(([long, what]) => [flagsOf(command, long), what] as const);
  const commands = command.commands.map((each) => [each.name(), each.summary()] as const);
  const width = Math.max(...[...rows, ...commands].map(([term]) => term.length)) + 2;
  const table = (title: string, lines: readonly (readonly [string, string])[]) => [
    title,
    ...lines.map(([term, what]) => wrapWords(`  ${term.padEnd(width)}${what}`, widest, width + 2)),
    '',
  ];
  const isProgram = command.parent === null;
  const lines = [
    `Usage: ${name} ${command.usage()}`,
    '',
    command.description(),
    '',
    'Examples:',
    ...examples.map((line) => wrapWords(`  ${line}`, widest, 6)),
    '',
    ...(isProgram ? table('Commands:', commands) : []),
    ...table('Options:', rows),
    ...(hint === undefined ? [] : [hint]),
    `All options and what they do: ${name} ${wholeHelp}`,
    '',
  ];
  return lines.map((line) => (line.startsWith(' ') ? line : wrapWords(line, widest))).join('\n');
}

/** As it is declared; a short form before it, and what it takes after it. */
function flagsOf({ options }: Command, long: string): string {
  const option = options.find((each) => each.long === long);
  if (option === undefined) throw new Error(`There is no option ${long}.`);
  return option.flags;
}

function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;
}
