import { poolguardRules } from '../../lint/known-rules.ts';
import { addLintCommand } from './lint.ts';
import { runCli, type AddCommand } from '../main.ts';
import type { CliIo } from '../cli-io.ts';

/** `lint` with the real rules, which are not loaded before a file has to be checked. */
export const addPoolguardLint: AddCommand = (program, io) => {
  addLintCommand(program, io, {
    known: poolguardRules,
    loadCheck: async (settings) => (await import('../../server/engine.ts')).createCheck(settings),
  });
};

/** Runs `lint`, which starts before each commit, without the code of the other commands. */
export async function runLint(args: readonly string[], io: CliIo): Promise<void> {
  await runCli(args, io, [addPoolguardLint]);
}
