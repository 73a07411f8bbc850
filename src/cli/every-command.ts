import { addActivityCommand } from './activity.ts';
import type { CliIo } from './cli-io.ts';
import { addPoolguardLint } from './lint/lint-command.ts';
import { addLspCommand } from './lsp.ts';
import { runCli, type AddCommand } from './main.ts';
import { addPoolerCommand } from './pooler.ts';
import { addProbeCommand } from './probe/probe.ts';
import { addReportCommand } from './report.ts';
import { addSweepCommand } from './sweep/sweep-command.ts';

/** Every command: a row each. */
export const everyCommand: readonly AddCommand[] = [
  addPoolguardLint,
  addActivityCommand,
  addPoolerCommand,
  addProbeCommand,
  addSweepCommand,
  addReportCommand,
  addLspCommand,
];

/** Runs whichever of them is named. */
export async function runEveryCommand(args: readonly string[], io: CliIo): Promise<void> {
  await runCli(args, io, everyCommand);
}
