import { Command, CommanderError } from 'commander';
import { version } from '../../package.json';
import { toPlainText } from '../activity/plain-text.ts';
import { redact } from '../database/secret.ts';
import { wrapWords } from '../text/terminal-width.ts';
import { shortenHelp, wholeHelp } from './brief-help.ts';
import { columnsOf, type CliIo } from './cli-io.ts';
import { Cancelled, CouldNotRun, exitCodes } from './exit-code.ts';
import { leaveArguments } from './optional-value.ts';
import { writeStack } from './write-stack.ts';
import { toShellWord } from '../text/shell-word.ts';

export type AddCommand = (program: Command, io: CliIo) => void;

const teaching = `
Examples:
  poolguard lint
  DATABASE_URL=postgres://app@localhost/shop poolguard activity
  poolguard activity --watch
  poolguard help activity

Exit codes: 0 fine, 1 errors, too many warnings or a failed check, 2 could not run, 3 a file that could not be analysed, 130 cancelled.
POOLGUARD_DEBUG=1 prints the stack of an unexpected error.
`;

/** Runs the command line `args` (without node and script). Says everything through `io`; never rejects. */
export async function runCli(
  args: readonly string[],
  io: CliIo,
  commands: readonly AddCommand[],
): Promise<void> {
  try {
    const program = createProgram(io, commands, args);
    const given = args.map((arg) => (arg === wholeHelp ? '--help' : arg));
    await program.parseAsync(isKnown(given[0], program) ? given : withoutHelp(given), {
      from: 'user',
    });
  } catch (error) {
    io.setExitCode(explain(error, args, io));
  }
}

function isKnown(name: string | undefined, { commands }: Command): boolean {
  return (
    name === undefined ||
    name.startsWith('-') ||
    name === 'help' ||
    commands.some((command) => command.name() === name)
  );
}

/** Asked for help about a command that there is not, Commander explains them all, and the typing error goes unnoticed. */
function withoutHelp(args: readonly string[]): string[] {
  return args.filter((arg) => arg !== '--help' && arg !== '-h');
}

function createProgram(
  io: CliIo,
  commands: readonly AddCommand[],
  args: readonly string[],
): Command {
  const program = new Command('poolguard')
    .description(
      "Finds PostgreSQL connection-pool bugs in Node.js code and shows the pool's real state while you develop.",
    )
    .version(version, '-V, --version', 'print the version')
    // Options behind a command are that command's, which may share a name with one before it.
    .enablePositionalOptions()
    .addHelpText('after', teaching)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(wrapHelp(text, columnsOf(io.stdout))),
      writeErr: (text) => void io.stderr.write(text),
      // What the user typed may be a connection string with its password.
      outputError: (text, write) =>
        write(
          `${usageSentence(
            text,
            program.commands.find((command) => command.name() === args[0]),
          )}\n`,
        ),
      getOutHasColors: () => io.isColored,
      getErrHasColors: () => io.isColored,
    });
  for (const add of commands) add(program, io);
  for (const command of withSubcommands(program)) {
    describeOptions(
      command.optionsGroup('Options:').option('--no-color', 'no colours; NO_COLOR=1 does the same'),
    );
    leaveArguments(command);
    if (!args.includes(wholeHelp)) shortenHelp(command);
  }
  return program;
}

/** Breaks lines of help between words, below where each begins. */
function wrapHelp(text: string, columns: number | null): string {
  return text
    .split('\n')
    .map((line) => wrapWords(line, columns, line.length - line.trimStart().length))
    .join('\n');
}

/** Lists in defaults look as they are typed. */
function describeOptions({ options }: Command): void {
  for (const option of options)
    if (Array.isArray(option.defaultValue))
      option.default(option.defaultValue, option.defaultValue.join(','));
}

function withSubcommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

/** "error: unknown option '--x'" becomes "Unknown option '--x'. Run poolguard lint --help to see what there is." */
function usageSentence(text: string, command: Command | undefined): string {
  const [what = '', ...hints] = redact(text, null)
    .trim()
    .split('\n')
    .map((line) =>
      toPlainText(line)
        .replace(/^error: /, '')
        .replace(/\.$/, ''),
    );
  const hint = hints
    .filter((line) => line !== '')
    .map((line) => ` ${line.replace(/^\((.*)\)$/, '$1')}`)
    .join('');
  return `${what.charAt(0).toUpperCase()}${what.slice(1)}.${hint} Run poolguard ${command === undefined ? '' : `${command.name()} `}--help to see what there is.`;
}

function explain(error: unknown, args: readonly string[], io: CliIo): number {
  // Commander has said its sentence, or printed the help that was asked for.
  if (error instanceof CommanderError)
    return error.exitCode === 0 ? exitCodes.fine : exitCodes.couldNotRun;
  if (error instanceof Cancelled) {
    io.stderr.write(`${error.message}\n`);
    return exitCodes.cancelled;
  }
  const message = toLine(error instanceof Error ? error.message : String(error));
  io.stderr.write(
    error instanceof CouldNotRun
      ? [message, ...moreOf(error, args)].map((line) => `${line}\n`).join('')
      : `Poolguard failed unexpectedly: ${message.replace(/\.$/, '')}. POOLGUARD_DEBUG=1 shows where; please report it.\n`,
  );
  writeStack(error, io);
  return exitCodes.couldNotRun;
}

/** Indented lines: what there is to know, and the command to type. */
function moreOf(
  { more: { details = [], tryWith } }: CouldNotRun,
  args: readonly string[],
): readonly string[] {
  const command =
    tryWith === undefined
      ? []
      : ['To use it:', `  poolguard ${[...args, ...tryWith].map(toShellWord).join(' ')}`];
  return [...details.map((line) => `  ${line}`), ...command].map(toLine);
}

/** Harmless to a terminal, without secrets; its indentation stays. */
function toLine(text: string): string {
  return `${/^ */.exec(text)?.[0] ?? ''}${toPlainText(redact(text, null)).trimStart()}`;
}
