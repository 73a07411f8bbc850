import { nextPiece } from './sql-tokens.ts';

/** One statement of several. */
export interface StatementPiece {
  /** Without the semicolon, and without comments before it. */
  readonly text: string;
  /** Comments between the statement before and this one, with their marks. */
  readonly comments: readonly string[];
  /** Of its first character, from 1. */
  readonly line: number;
}

export type SplitAnswer =
  | { readonly kind: 'pieces'; readonly pieces: readonly StatementPiece[] }
  | { readonly kind: 'problem'; readonly what: string; readonly line: number };

/** Cuts SQL at its semicolons, outside of strings and comments. Empty statements are left out. */
export function splitStatements(sql: string): SplitAnswer {
  const pieces: StatementPiece[] = [];
  let comments: string[] = [];
  let begun: { readonly at: number; readonly line: number } | null = null;
  let line = 1;
  const finish = (end: number) => {
    if (begun === null) return;
    pieces.push({ text: sql.slice(begun.at, end).trim(), comments, line: begun.line });
    comments = [];
    begun = null;
  };
  for (let at = 0; at < sql.length;) {
    const piece = nextPiece(sql, at);
    if (piece.kind === 'problem') return { ...piece, line };
    const text = sql.slice(at, piece.end);
    if (piece.token?.kind === 'mark' && text === ';') finish(at);
    else if (piece.token !== null) begun ??= { at, line };
    else if (begun === null && /^(?:--|\/\*)/.test(text)) comments.push(text);
    line += text.split('\n').length - 1;
    at = piece.end;
  }
  finish(sql.length);
  return { kind: 'pieces', pieces };
}
