import type { Command } from 'commander';
import { commonOptions, type CommonFlags } from './run-experiment.ts';

export interface ExperimentCommand {
  readonly name: string;
  readonly description: string;
  /** For the whole experiment, when nobody says. */
  readonly seconds: number;
  readonly help: string;
  /** Those of `CommonFlags` when nobody says. */
  readonly options?: readonly ((command: Command) => void)[];
}

/** Adds an experiment below `probe`. Its examples come first in its help. */
export function addExperimentCommand(
  probe: Command,
  { name, description, seconds, help, options = commonOptions }: ExperimentCommand,
): Command {
  const command = probe
    .command(name)
    .description(description)
    .addHelpText('after', `\n${help.trim()}`);
  for (const add of options) add(command);
  command.optionsGroup('The experiment:');
  const option = command.options.find(({ long }) => long === '--seconds');
  if (option === undefined) return command;
  option.default(seconds);
  return command.setOptionValueWithSource(option.attributeName(), seconds, 'default');
}

/** The largest pool to try: what `--max` says, else the largest of the sizes. */
export function largestOf(
  sizes: readonly number[],
  { max }: Pick<CommonFlags, 'max'>,
  command: Command,
): number {
  return command.getOptionValueSource('max') === 'default' ? Math.max(2, ...sizes) : max;
}
