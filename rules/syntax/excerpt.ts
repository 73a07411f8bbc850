import { basename } from 'node:path';
import type { Node } from './node.ts';
import type { Place } from './place.ts';
import { unwrap, type SourceFile } from './source-file.ts';

const longest = 60;

/** How code is quoted in messages: on one line, and not too long. */
export function excerpt(node: Node, file: SourceFile): string {
  const text = file.text.slice(...node.range).replace(/\s+/gu, ' ');
  return `\`${text.length > longest ? `${text.slice(0, longest - 1)}…` : text}\``;
}

const standsAlone: ReadonlySet<string> = new Set([
  'Identifier',
  'ThisExpression',
  'MemberExpression',
  'CallExpression',
]);

/** A receiver as it is written without casts: `client` of `(client as unknown as Ending).end()`. */
export function receiverText(receiver: Node, file: SourceFile): string {
  const plain = unwrap(receiver);
  const text = file.text.slice(...plain.range);
  return standsAlone.has(plain.type) && receiver.type !== 'ChainExpression' ? text : `(${text})`;
}

/** A place as data that can be sent, and that keeps nothing of its file. */
export function plainPlace({ start, end }: Place): Place {
  return { start, end };
}

/** The last character of a node, for "the end of the function". */
export function endOf(node: Node): Place {
  const { end } = node.loc;
  return { start: { line: end.line, column: Math.max(0, end.column - 1) }, end };
}

/** `lockTable(), line 7`, or `lockTable(), locks.ts:7` for a function of another file. */
export function helperExcerpt(
  callee: Node,
  inside: Node,
  file: SourceFile,
  from: SourceFile,
): string {
  return `${excerpt(callee, from).slice(1, -1)}(), ${lineExcerpt(inside, file, from)}`;
}

/** `line 7`, or `users.ts:7` in another file. */
export function lineExcerpt(node: Node, file: SourceFile, from: SourceFile): string {
  const { line } = node.loc.start;
  return file === from ? `line ${line}` : `${basename(file.path)}:${line}`;
}
