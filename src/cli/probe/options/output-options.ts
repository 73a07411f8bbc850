import { InvalidArgumentError, Option, type Command } from 'commander';
import { toPlainText } from '../../../activity/plain-text.ts';
import type { ReportedResult } from '../../../probe/result.ts';
import { formatNames, formatOfFile, formats, type FormatName } from '../../../report/formats.ts';
import { headlineOf } from '../../../report/reports/to-report.ts';
import { columnsOf, type CliIo } from '../../cli-io.ts';
import { CouldNotRun } from '../../exit-code.ts';
import { whyNotWritable, writeWhole } from '../../../files/write-whole.ts';

export interface OutputFlags {
  readonly json?: true;
  readonly format?: FormatName;
  readonly output?: string;
}

/** Where the answer goes, and as what. */
export function addOutputOptions(command: Command): void {
  command
    .optionsGroup('Result:')
    .addOption(
      new Option(
        '--format <format>',
        'how to write the result; by the ending of --output, else for the terminal',
      ).choices(formatNames),
    )
    .addOption(new Option('--json', 'short for --format json').conflicts('format'))
    .option(
      '-o, --output <file>',
      'write the result to a file; csv is its main table, html a page that needs nothing else',
      readOutput,
    );
}

/** Checked before anything is measured. */
function readOutput(path: string): string {
  const why = whyNotWritable(path);
  if (why !== null) throw new InvalidArgumentError(why);
  return path;
}

/** The format that was asked for. Throws `CouldNotRun` where the file's ending says something that cannot be written; to be asked before anything is measured. */
export function formatOf({ json, format, output }: OutputFlags): FormatName {
  if (json === true) return 'json';
  if (format !== undefined || output === undefined) return format ?? 'terminal';
  const byEnding = formatOfFile(output);
  if (byEnding === undefined && /\.[^./\\]+$/.test(output))
    throw new CouldNotRun(
      `What ${output} is to hold does not show in its ending: name a file that ends with .html, .md, .json, .csv or .txt, or say --format.`,
    );
  return byEnding ?? 'terminal';
}

type OutputIo = Pick<CliIo, 'stdout' | 'stderr' | 'isColored'>;

/** Prints a result as it was asked for. Throws `CouldNotRun` when its file cannot be written; the result is on the terminal then. */
export function printResult(result: ReportedResult, flags: OutputFlags, io: OutputIo): void {
  const format = formatOf(flags);
  const columns = columnsOf(io.stdout);
  const printed = (name: FormatName) =>
    io.stdout.write(formats[name].write(result, { isColored: io.isColored, columns }));
  if (flags.output === undefined) {
    printed(format);
    return;
  }
  const failure = writeWhole(
    flags.output,
    formats[format].write(result, { isColored: false, columns: null }),
  );
  if (failure !== null) {
    printed('terminal');
    throw new CouldNotRun(failure);
  }
  // Somebody who looks on has waited for the answer too.
  if (io.stdout.isTTY === true) printed('terminal');
  io.stderr.write(`Written to ${toPlainText(flags.output)}\n`);
}

/** Whether people read the whole answer, or its verdict at least, from what `printResult` puts on standard output. */
function isRead(flags: OutputFlags, { stdout }: OutputIo): boolean {
  return flags.output === undefined
    ? ['terminal', 'markdown'].includes(formatOf(flags))
    : stdout.isTTY === true;
}

/**
 * Prints what was just measured as it was asked for, and its verdict as one line where the rest goes to a file or to a program:
 * on standard output where nothing else is, on standard error where that belongs to a program. Throws as `printResult` does.
 */
export function printMeasured(result: ReportedResult, flags: OutputFlags, io: OutputIo): void {
  printResult(result, flags, io);
  if (isRead(flags, io)) return;
  const isFree =
    flags.output !== undefined && flags.json === undefined && flags.format === undefined;
  (isFree ? io.stdout : io.stderr).write(`${headlineOf(result)}\n`);
}
