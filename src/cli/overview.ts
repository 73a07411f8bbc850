import type { CliIo } from './cli-io.ts';
import { commandList, declare, type CommandName } from './command-list.ts';
import { runCli, type AddCommand } from './main.ts';

/** Every command by its line in the list of them, without its code. */
export const overview: readonly AddCommand[] = (Object.keys(commandList) as CommandName[]).map(
  (name) => (program) => {
    const { takes } = commandList[name];
    const command = declare(program, name);
    if (takes !== '') command.argument(takes);
  },
);

/** Runs what names no command: says what there is, prints the version, or refuses a name. */
export async function runOverview(args: readonly string[], io: CliIo): Promise<void> {
  await runCli(args, io, overview);
}
