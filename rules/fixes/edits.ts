import type { Node } from '../syntax/node.ts';
import type { SourceFile } from '../syntax/source-file.ts';
import type { Edit } from './suggestion.ts';

/** ESLint makes one edit of several, which must not touch the same text. */
export function areApart(edits: readonly Edit[]): boolean {
  const inOrder = [...edits].sort((a, b) => a.range[0] - b.range[0] || a.range[1] - b.range[1]);
  return inOrder.every(({ range: [start] }, index) => start >= (inOrder[index - 1]?.range[1] ?? 0));
}

/** Every comment that is replaced stands again in what is written. */
export function keepComments(edits: readonly Edit[], { ast, text }: SourceFile): boolean {
  const written = withoutSpace(edits.map((edit) => edit.text).join(' '));
  return (ast.comments ?? [])
    .filter(({ range }) =>
      edits.some((edit) => edit.range[0] < range[1] && range[0] < edit.range[1]),
    )
    .every(({ range }) => written.includes(withoutSpace(text.slice(...range))));
}

function withoutSpace(text: string): string {
  return text.replaceAll(/\s+/gu, '');
}

/** `await` before each of these calls. */
export function awaited(calls: readonly Node[]): readonly Edit[] {
  return calls.map(({ range: [start] }) => ({ range: [start, start], text: 'await ' }));
}
