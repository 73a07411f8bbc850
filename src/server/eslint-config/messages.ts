import type { ConfiguredRules } from '../host.ts';

/** What a process that runs the workspace's ESLint is asked: absolute paths. */
export interface ConfigQuestion {
  readonly path: string;
  /** ESLint's `cwd`. */
  readonly folder: string;
}

export type ConfigAnswer =
  | { readonly kind: 'configured'; readonly rules: ConfiguredRules }
  /** The configuration, or ESLint itself, cannot be loaded. */
  | { readonly kind: 'broken'; readonly sentence: string };
