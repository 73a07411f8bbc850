import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from '../syntax/node.ts';
import type { Edit } from './suggestion.ts';
import { beginsLine, restOfLine, startOfLine, startOfNextLine } from './lines.ts';

/**
 * Takes statements out of their blocks, whole lines where they fill them. Undefined where that would leave something strange: an
 * empty block, a comment with nothing to belong to, two statements that read as one.
 */
export function removalsOf(
  statements: readonly TSESTree.ExpressionStatement[],
  text: string,
): readonly Edit[] | undefined {
  const removals: Edit[] = [];
  for (const statement of statements) {
    const { parent } = statement;
    if (parent.type !== 'BlockStatement') return undefined;
    const isEmptied = parent.body.every((each) => statements.some((other) => other === each));
    const removal = isEmptied
      ? enclosingFinalizer(parent, statement, text)
      : removalOf(statement, text);
    if (removal === undefined) return undefined;
    removals.push(removal);
  }
  return removals;
}

/** `finally { client.release(); }` behind a `catch` goes as a whole. */
function enclosingFinalizer(
  block: TSESTree.BlockStatement,
  only: Node,
  text: string,
): Edit | undefined {
  const { parent } = block;
  if (parent.type !== 'TryStatement' || parent.finalizer !== block || parent.handler === null)
    return undefined;
  const start = parent.handler.range[1];
  const isBare =
    /^\s*finally\s*$/u.test(text.slice(start, block.range[0])) && hasNothingBut(only, block, text);
  return isBare ? { range: [start, block.range[1]], text: '' } : undefined;
}

function hasNothingBut(only: Node, block: Node, text: string): boolean {
  return (
    text.slice(block.range[0] + 1, only.range[0]).trim() === '' &&
    text.slice(only.range[1], block.range[1] - 1).trim() === ''
  );
}

function removalOf(statement: Node, text: string): Edit | undefined {
  const [start, end] = statement.range;
  const after = restOfLine(text, end);
  if (/^\s*\/[/*]/u.test(after) || joinsNeighbours(start, end, text)) return undefined;
  if (!beginsLine(text, start)) {
    const isLast = after.trim() === '';
    return {
      range: isLast
        ? [text.slice(0, start).trimEnd().length, end]
        : [start, end + after.length - after.trimStart().length],
      text: '',
    };
  }
  if (after.trim() !== '')
    return { range: [start, end + after.length - after.trimStart().length], text: '' };
  const next = startOfNextLine(text, end);
  return { range: [startOfRemoval(startOfLine(text, start), next, text), next], text: '' };
}

/** Empty lines that would stand before another or before the closing brace go along. */
function startOfRemoval(start: number, next: number, text: string): number {
  let first = start;
  const isSuperfluous = /^\s*(?:\}|$)/u.test(restOfLine(text, next));
  while (isSuperfluous && first > 0 && restOfLine(text, startOfLine(text, first - 1)).trim() === '')
    first = startOfLine(text, first - 1);
  return first;
}

/** Without the statement, what stands before it and a bracket behind it would be one expression. */
function joinsNeighbours(start: number, end: number, text: string): boolean {
  return (
    /^\s*[([`+\-*/]/u.test(text.slice(end)) &&
    !/[;{}]\s*$/u.test(text.slice(0, start)) &&
    !/^\s*\/[/*]/u.test(text.slice(end))
  );
}
