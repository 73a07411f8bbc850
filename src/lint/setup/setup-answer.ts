import type { Preset } from '../../settings/settings.ts';
import type { TextEdit } from './text-edit.ts';

/** What decides how our plugin stands in a configuration. */
export interface SetupFacts {
  /** The configuration's name without its folder, for example `eslint.config.js`. */
  readonly fileName: string;
  /** What is in it; null when there is none yet. */
  readonly text: string | null;
  readonly preset: Preset;
  /** As the setting `poolguard.pooler` has it; empty for none. */
  readonly pooler: string;
  /** The package that is installed and can parse TypeScript. */
  readonly typescript: 'typescript-eslint' | '@typescript-eslint/parser' | null;
}

export type SetupAnswer =
  /** The whole text of a new file. */
  | { readonly kind: 'create'; readonly text: string }
  | { readonly kind: 'edit'; readonly edits: readonly TextEdit[] }
  | { readonly kind: 'already' }
  /** Nothing can be written safely: why, as a whole sentence, and what to write by hand. */
  | { readonly kind: 'by hand'; readonly sentence: string; readonly snippet: string };
