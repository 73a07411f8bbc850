import type { Node } from '../syntax/node.ts';
import type { Edit } from './suggestion.ts';
import { walk } from '../syntax/preorder.ts';
import type { SourceFile } from '../syntax/source-file.ts';

/** What ends a line, in JavaScript as in ESLint. */
const lineBreak = /\r\n|[\n\r\u2028\u2029]/gu;

/** The offset after the line break before `offset`. */
export function startOfLine(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && !endsLine(text, start)) start -= 1;
  return start;
}

function endsLine(text: string, offset: number): boolean {
  const before = text[offset - 1];
  return before === '\r' ? text[offset] !== '\n' : /[\n\u2028\u2029]/u.test(before ?? '');
}

/** The offset of the first line that begins after `offset`; the end of the text when there is none. */
export function startOfNextLine(text: string, offset: number): number {
  lineBreak.lastIndex = offset;
  return lineBreak.test(text) ? lineBreak.lastIndex : text.length;
}

/** The text between `offset` and the end of its line, without the line break. */
export function restOfLine(text: string, offset: number): string {
  lineBreak.lastIndex = offset;
  return text.slice(offset, lineBreak.exec(text)?.index ?? text.length);
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
  const used = text.match(/\r\n?|\n/gu) ?? [];
  const count = (kind: string) => used.filter((each) => each === kind).length;
  const most = ['\n', '\r\n', '\r'].reduce((one, other) =>
    count(other) > count(one) ? other : one,
  );
  return most === '\n'
    ? edits
    : edits.map((edit) => ({ ...edit, text: edit.text.replaceAll(/\r?\n/gu, most) }));
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
