import type { TextEdit } from 'vscode-languageserver';
import type { Positions } from '../../lint/positions.ts';
import type { Problem } from '../../lint/problem.ts';
import type { Written, WrittenComment } from '../../lint/written.ts';
import { toEdit } from './to-edit.ts';

// The directives in this file are texts that it writes for the user who asks for them; none is about this file.

/** A problem that a comment can switch off. */
export type RuleProblem = Problem & { readonly rule: string };

/** What a comment configures may be called anything, as in `/* eslint poolguard/a b: 2`, and no comment can name that. */
export function isRuleProblem<Any extends Pick<Problem, 'rule'>>(
  problem: Any,
): problem is Any & { readonly rule: string } {
  return problem.rule !== null && /^[\w/-]+$/u.test(problem.rule);
}

/**
 * The edit that switches a rule off for the line of a problem. It joins the comment that is there, because a second one would switch the
 * first one off; else it writes one above, and where above lies inside of a text, one beside the problem.
 */
export function disableForLine(
  positions: Positions,
  { comments, insideOf }: Written,
  { rule, place }: Pick<RuleProblem, 'rule' | 'place'>,
): TextEdit {
  const { line, column } = place.start;
  const joined =
    join(
      positions,
      comments.filter((each) => each.line === line && each.endLine === line),
      'eslint-disable-line',
      rule,
    ) ??
    join(
      positions,
      comments.filter(({ endLine }) => endLine === line - 1),
      'eslint-disable-next-line',
      rule,
    );
  if (joined !== undefined) return joined;
  const { code } = positions;
  const start = positions.startOf(line);
  const inside = insideOf(start);
  const comment = `eslint-disable-next-line ${rule}`;
  if (inside.kind === 'code') return lineAbove(positions, line, `// ${comment}`);
  // White space at the edge of a text between tags is none, so another tag there changes nothing.
  if (inside.kind === 'jsx' && code.slice(start, inside.end).trim() === '')
    return lineAbove(positions, line, `{/* ${comment} */}`);
  return insertAt(positions, start + column, `/* eslint-disable-line ${rule} */ `);
}

/** The edit that switches a rule off for a file: in the comment at its top that does so for other rules, or in a new one behind what a file begins with. */
export function disableForFile(
  positions: Positions,
  written: Written,
  { rule }: Pick<RuleProblem, 'rule'>,
): TextEdit {
  const top = written.comments.filter(
    ({ kind, end }) => kind === 'block' && end <= written.codeStart,
  );
  return (
    join(positions, top, 'eslint-disable', rule) ??
    insertAt(
      positions,
      endOfHead(positions, written),
      `/* eslint-disable ${rule} */${lineBreakOf(positions)}`,
    )
  );
}

function join(
  positions: Positions,
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
      return insertAt(positions, textStart + list.length, `, ${rule}`);
  }
  return undefined;
}

/** What is true of the whole file, and what tools look for at its very start. */
const speaksOfFile =
  /@(?:license|licence|preserve|copyright|file|fileoverview|module|packageDocumentation|jest-\w+|vitest-\w+|ts-\w+|jsx\w*|format|flow)\b|^!|copyright|SPDX-|licensed under/iu;

/** Behind the hashbang, a license, and comments that an empty line parts from the code: those right above a statement belong to that. */
function endOfHead(positions: Positions, { comments, codeStart }: Written): number {
  let end = 0;
  for (const comment of comments.filter((each) => each.end <= codeStart)) {
    const next = positions.startOf(comment.endLine + 1);
    if (positions.code.slice(comment.end, next).trim() !== '') continue;
    const isApart = positions.lineAt(comment.endLine + 1).trim() === '';
    if (comment.kind === 'hashbang' || isApart || speaksOfFile.test(comment.text)) end = next;
  }
  return end;
}

function lineAbove(positions: Positions, line: number, comment: string): TextEdit {
  const indent = /^[ \t]*/u.exec(positions.lineAt(line))?.[0] ?? '';
  return insertAt(
    positions,
    positions.startOf(line),
    `${indent}${comment}${lineBreakOf(positions)}`,
  );
}

function insertAt(positions: Positions, offset: number, text: string): TextEdit {
  return toEdit(positions, { range: [offset, offset], text });
}

function lineBreakOf({ code }: Positions): string {
  if (code.includes('\r\n')) return '\r\n';
  return code.includes('\r') && !code.includes('\n') ? '\r' : '\n';
}
