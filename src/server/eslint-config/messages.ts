import * as v from 'valibot';
import { number, soundEntriesOf, text, type OutputOf } from '../../schema/fields.ts';

/** What a process that runs the workspace's ESLint is asked: absolute paths. */
export interface ConfigQuestion {
  readonly paths: readonly string[];
  /** ESLint's `cwd`. */
  readonly folder: string;
  /** In place of the configuration that ESLint finds. */
  readonly config?: string;
}

const rule = v.object({
  severity: v.picklist(['off', 'warn', 'error']),
  options: v.array(v.unknown()),
});

/** The process runs a configuration that may say anything in its name. */
export const ConfigAnswer = v.variant('kind', [
  v.object({
    kind: v.literal('configured'),
    /** What is said of our rules: each only once. */
    configurations: v.array(
      v.object({
        rules: soundEntriesOf(rule),
        /** `settings.poolguard` */
        settings: v.exactOptional(v.unknown()),
      }),
    ),
    /** For each path that was asked, the index of its configuration; -1 for what ESLint ignores. */
    chosen: v.array(number),
  }),
  /** The configuration, or ESLint itself, cannot be loaded. */
  v.object({ kind: v.literal('broken'), sentence: text }),
]);
export type ConfigAnswer = OutputOf<typeof ConfigAnswer>;
