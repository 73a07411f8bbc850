import type { TextEdit } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Problem } from '../../lint/problem.ts';
import type { Written, WrittenComment } from '../../lint/written.ts';

// The directives in this file are texts that it writes for the user who asks for them; none is about this file.

/** A problem that a comment can switch off. */
export interface RuleProblem extends Problem {
  readonly rule: string;
}

/** What a comment configures may be called anything, as in `/* eslint poolguard/a b: 2`, and no comment can name that. */
export function isRuleProblem(problem: Problem): problem is RuleProblem {
  return problem.rule !== null && /^[\w/-]+$/u.test(problem.rule);
}

/**
 * The edit that switches a rule off for the line of a problem. It joins the comment that is there, because a second one would switch the
 * first one off; else it writes one above, and where above lies inside of a text, one beside the problem.
 */
export function disableForLine(
  document: TextDocument,
  { comments, insideOf }: Written,
  { rule, line, column }: RuleProblem,
): TextEdit {
  const joined =
    join(
      document,
      comments.filter((each) => each.line === line && each.endLine === line),
      'eslint-disable-line',
      rule,
    ) ??
    join(
      document,
      comments.filter(({ endLine }) => endLine === line - 1),
      'eslint-disable-next-line',
      rule,
    );
  if (joined !== undefined) return joined;
  const start = document.offsetAt({ line: line - 1, character: 0 });
  const inside = insideOf(start);
  const comment = `eslint-disable-next-line ${rule}`;
  if (inside.kind === 'code') return lineAbove(document, line, `// ${comment}`);
  // White space at the edge of a text between tags is none, so another tag there changes nothing.
  if (inside.kind === 'jsx' && document.getText().slice(start, inside.end).trim() === '')
    return lineAbove(document, line, `{/* ${comment} */}`);
  return insertAt(
    document,
    document.offsetAt({ line: line - 1, character: column - 1 }),
    `/* eslint-disable-line ${rule} */ `,
  );
}

/** The edit that switches a rule off for a file: in the comment at its top that does so for other rules, or in a new one behind what a file begins with. */
export function disableForFile(
  document: TextDocument,
  written: Written,
  { rule }: RuleProblem,
): TextEdit {
  const top = written.comments.filter(
    ({ kind, end }) => kind === 'block' && end <= written.codeStart,
  );
  return (
    join(document, top, 'eslint-disable', rule) ??
    insertAt(
      document,
      endOfHead(document.getText(), written),
      `/* eslint-disable ${rule} */${lineBreakOf(document)}`,
    )
  );
}

function join(
  document: TextDocument,
  comments: readonly WrittenComment[],
  directive: string,
  rule: string,
): TextEdit | undefined {
  for (const { text, textStart } of comments) {
    // ESLint takes what follows two hyphens for the reason (its `parseDirectiveText`).
    const [beforeReason = ''] = text.split(/\s-{2,}\s/u, 1);
    const list = beforeReason.trimEnd().replace(/,$/u, '');
    const [first, second] = list.trimStart().split(/\s+/u, 2);
    if (first === directive && second !== undefined && !second.startsWith('--'))
      return insertAt(document, textStart + list.length, `, ${rule}`);
  }
  return undefined;
}

/** What is true of the whole file, and what tools look for at its very start. */
const speaksOfFile =
  /@(?:license|licence|preserve|copyright|file|fileoverview|module|packageDocumentation|jest-\w+|vitest-\w+|ts-\w+|jsx\w*|format|flow)\b|^!|copyright|SPDX-|licensed under/iu;

/** Behind the hashbang, a license, and comments that an empty line parts from the code: those right above a statement belong to that. */
function endOfHead(text: string, { comments, codeStart }: Written): number {
  let end = 0;
  for (const comment of comments.filter((each) => each.end <= codeStart)) {
    const [rest, isApart] = [
      /^[^\S\r\n]*(?:\r?\n|$)/u.exec(text.slice(comment.end)),
      /^[^\S\r\n]*\r?\n[^\S\r\n]*\r?\n/u.test(text.slice(comment.end)),
    ];
    if (
      rest !== null &&
      (comment.kind === 'hashbang' || isApart || speaksOfFile.test(comment.text))
    )
      end = comment.end + rest[0].length;
  }
  return end;
}

function lineAbove(document: TextDocument, line: number, comment: string): TextEdit {
  const start = document.offsetAt({ line: line - 1, character: 0 });
  const indent = /^[ \t]*/u.exec(document.getText().slice(start))?.[0] ?? '';
  return insertAt(document, start, `${indent}${comment}${lineBreakOf(document)}`);
}

function insertAt(document: TextDocument, offset: number, newText: string): TextEdit {
  const place = document.positionAt(offset);
  return { range: { start: place, end: place }, newText };
}

function lineBreakOf(document: TextDocument): string {
  return document.getText().includes('\r\n') ? '\r\n' : '\n';
}
