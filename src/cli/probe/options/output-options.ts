import type { Command } from 'commander';
import type { ReportedResult } from '../../../probe/result.ts';
import { formatProbe } from '../../../report/probe-table.ts';
import type { CliIo } from '../../cli-io.ts';

export interface OutputFlags {
  readonly json?: true;
}

/** Where the answer goes, and as what. */
export function addOutputOptions(command: Command): void {
  command.option('--json', 'print the result as JSON');
}

/** Prints a result as it was asked for. */
export function printResult(result: ReportedResult, flags: OutputFlags, io: Pick<CliIo, 'stdout' | 'isColored'>): void {
  const isText = flags.json !== true && result.experiment === 'size';
  io.stdout.write(isText ? formatProbe(result, { isColored: io.isColored }) : `${JSON.stringify(result, null, 2)}\n`);
}
