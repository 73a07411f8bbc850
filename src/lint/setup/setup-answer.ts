import * as v from 'valibot';
import { text, type OutputOf } from '../../schema/fields.ts';
import { Preset } from '../../settings/settings.ts';
import type { TextEdit } from './text-edit.ts';

/** What decides how our plugin stands in a configuration. */
export const SetupFacts = v.object({
  /** The configuration's name without its folder, for example `eslint.config.js`. */
  fileName: text,
  /** What is in it; null when there is none yet. */
  text: v.nullable(text),
  preset: Preset,
  /** As the setting `poolguard.pooler` has it; empty for none. */
  pooler: text,
  /** The package that is installed and can parse TypeScript. */
  typescript: v.nullable(v.picklist(['typescript-eslint', '@typescript-eslint/parser'])),
});
export type SetupFacts = OutputOf<typeof SetupFacts>;

export type SetupAnswer =
  /** The whole text of a new file. */
  | { readonly kind: 'create'; readonly text: string }
  | { readonly kind: 'edit'; readonly edits: readonly TextEdit[] }
  | { readonly kind: 'already' }
  /** Nothing can be written safely: why, as a whole sentence, and what to write by hand. */
  | { readonly kind: 'by hand'; readonly sentence: string; readonly snippet: string };
