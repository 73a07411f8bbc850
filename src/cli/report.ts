import type { Command } from 'commander';
import type { CliIo } from './cli-io.ts';
import { declare } from './command-list.ts';
import { addOutputOptions, printResult, type OutputFlags } from './probe/options/output-options.ts';
import { readSaved } from './read-saved.ts';

const examples = `
Examples:
  poolguard probe --output result.json
  poolguard report result.json
  poolguard report result.json --output report.html
  poolguard report result.json --format markdown
  poolguard report k6-summary.json

Nothing is measured, and no connection is opened. Exit codes: 0 fine, 2 no readable result.
`;

/** Adds `report <file>`: a saved result again, in any format. */
export function addReportCommand(program: Command, io: CliIo): void {
  const command = declare(program, 'report').argument(
    '<result.json>',
    'what poolguard probe or poolguard sweep wrote as JSON, or the summary of an exported k6 script',
  );
  addOutputOptions(command);
  command
    .addHelpText('after', examples)
    .action((file: string, flags: OutputFlags) => printResult(readSaved(file), flags, io));
}
