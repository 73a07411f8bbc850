import type { Node } from '../syntax/node.ts';

import type { Edit } from './suggestion.ts';

/** ESLint makes one edit of several, which must not touch the same text. */
export function areApart(edits: readonly Edit[]): boolean {
  const inOrder = [...edits].sort((a, b) => a.range[0] - b.range[0] || a.range[1] - b.range[1]);
  return inOrder.every(({ range: [start] }, index) => start >= (inOrder[index - 1]?.range[1] ?? 0));
}

/** `await` before each of these calls. */
export function awaited(calls: readonly Node[]): readonly Edit[] {
  return calls.map(({ range: [start] }) => ({ range: [start, start], text: 'await ' }));
}
