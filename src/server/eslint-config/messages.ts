import * as v from 'valibot';
import { soundEntriesOf, text, type OutputOf } from '../../schema/fields.ts';

/** What a process that runs the workspace's ESLint is asked: absolute paths. */
export interface ConfigQuestion {
  readonly path: string;
  /** ESLint's `cwd`. */
  readonly folder: string;
}

const rule = v.object({
  severity: v.picklist(['off', 'warn', 'error']),
  options: v.array(v.unknown()),
});

/** The process runs a configuration that may say anything in its name. */
export const ConfigAnswer = v.variant('kind', [
  v.object({ kind: v.literal('configured'), rules: soundEntriesOf(rule) }),
  /** The configuration, or ESLint itself, cannot be loaded. */
  v.object({ kind: v.literal('broken'), sentence: text }),
]);
export type ConfigAnswer = OutputOf<typeof ConfigAnswer>;
