import { lineExcerpt } from '../syntax/excerpt.ts';
import type { SourceFile } from '../syntax/source-file.ts';
import type { Effect, Hop } from '../summaries/effects.ts';

/** The first function on the way to an effect, and its place as seen from a file: "`findUser()` (users.ts:7)". */
export function firstHelper({ via: [hop] }: Effect, from: SourceFile): string | undefined {
  return hop && helperText(hop, from);
}

/** The function that has an effect itself. */
export function lastHelper({ via }: Effect, from: SourceFile): string | undefined {
  const hop = via.at(-1);
  return hop && helperText(hop, from);
}

export function helperText({ text, node, file }: Hop, from: SourceFile): string {
  return `\`${text}()\` (${lineExcerpt(node, file, from)})`;
}
