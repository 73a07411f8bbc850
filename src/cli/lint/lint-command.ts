import { poolguardRules } from '../../lint/known-rules.ts';
import { addLintCommand } from './lint.ts';
import type { AddCommand } from '../main.ts';

/** `lint` with the real rules, which are not loaded before a file has to be checked. */
export const addPoolguardLint: AddCommand = (program, io) => {
  addLintCommand(program, io, {
    known: poolguardRules,
    loadCheck: async (settings) => (await import('../engine.ts')).createCheck(settings),
  });
};
