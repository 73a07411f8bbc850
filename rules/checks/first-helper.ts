import { lineExcerpt } from '../syntax/excerpt.ts';
import type { SourceFile } from '../syntax/source-file.ts';
import type { Effect } from '../summaries/effects.ts';

/** The first function on the way to an effect, and its place as seen from a file: "`findUser()` (users.ts:7)". */
export function firstHelper({ via: [hop] }: Effect, from: SourceFile): string | undefined {
  return hop && `\`${hop.text}()\` (${lineExcerpt(hop.node, hop.file, from)})`;
}
