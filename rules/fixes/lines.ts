import type { Node } from '../syntax/node.ts';
import type { Edit } from './suggestion.ts';
import { walk } from '../syntax/preorder.ts';
import type { SourceFile } from '../syntax/source-file.ts';

/** The offset right behind the line break before `offset`. */
export function startOfLine(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** The offset of the first line that begins behind `offset`; the end of the text when there is none. */
export function startOfNextLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end + 1;
}

/** What stands between `offset` and the end of its line, line break left out. */
export function restOfLine(text: string, offset: number): string {
  return text.slice(offset, startOfNextLine(text, offset)).replace(/\r?\n$/u, '');
}

/** The white space that the line of `offset` begins with. */
export function indentAt(text: string, offset: number): string {
  return /^[ \t]*/u.exec(text.slice(startOfLine(text, offset), offset))?.[0] ?? '';
}

/** True when nothing but white space stands before `offset` in its line. */
export function beginsLine(text: string, offset: number): boolean {
  return text.slice(startOfLine(text, offset), offset).trim() === '';
}

/** The start of the first line behind `offset` that is not empty. */
export function startOfContent(text: string, offset: number): number {
  let start = startOfNextLine(text, offset);
  while (start < text.length && restOfLine(text, start).trim() === '')
    start = startOfNextLine(text, start);
  return start;
}

/** Edits are written with `\n`; these are the same with the line breaks of most lines of the text that they change. */
export function withLineBreaksOf(text: string, edits: readonly Edit[]): readonly Edit[] {
  if (!isMostlyWindows(text)) return edits;
  return edits.map((edit) => ({ ...edit, text: edit.text.replaceAll(/\r?\n/gu, '\r\n') }));
}

function isMostlyWindows(text: string): boolean {
  const windows = text.split('\r\n').length - 1;
  return windows > 0 && windows * 2 >= text.split('\n').length - 1;
}

/** By how much the statements of a block stand further in than its closing brace. */
export function indentUnit(text: string, block: Node, statement: Node): string {
  const outer = indentAt(text, block.range[1] - 1);
  const inner = indentAt(text, statement.range[0]);
  return inner.startsWith(outer) && inner.length > outer.length ? inner.slice(outer.length) : '  ';
}

/**
 * Moves the lines that begin in `range` further in; empty lines stay empty. What stands in `removed` is left alone, and so are
 * lines that begin in a text of several lines, whose content would change. `roots` are the nodes that stand in the range.
 */
export function indentLines(
  file: SourceFile,
  range: Edit['range'],
  unit: string,
  roots: readonly Node[],
  removed: readonly Edit[],
): readonly Edit[] {
  const kept = [...removed.map((edit) => edit.range), ...textsOfSeveralLines(file, roots)];
  const edits: Edit[] = [];
  for (let start = range[0]; start < range[1]; start = startOfNextLine(file.text, start)) {
    const isKept = kept.some(([from, to]) => from <= start && start < to);
    if (!isKept && restOfLine(file.text, start).trim() !== '')
      edits.push({ range: [start, start], text: unit });
  }
  return edits;
}

const texts: ReadonlySet<string> = new Set(['TemplateElement', 'Literal', 'JSXText']);

function textsOfSeveralLines(file: SourceFile, roots: readonly Node[]): readonly Edit['range'][] {
  const found: Edit['range'][] = [];
  for (const root of roots) {
    walk(file, root, (node) => {
      if (texts.has(node.type) && node.loc.start.line !== node.loc.end.line) found.push(node.range);
      return true;
    });
  }
  return found;
}
