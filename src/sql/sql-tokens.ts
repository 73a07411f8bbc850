import type { PlainStrings } from '../../rules/model/sql-strings.ts';
import { pieceAt, type SqlToken as LooseToken } from '../../rules/model/sql-tokens.ts';

/** A piece of SQL that matters for judging a statement. Comments and blanks are left out. */
export type SqlToken =
  | {
      readonly kind: 'word';
      /** In lower case, as a server folds it: the letters of ASCII alone. */ readonly text: string;
    }
  | {
      readonly kind: 'quoted';
      /** What an identifier in double quotes means, its escapes undone. */ readonly text: string;
    }
  /** As they are written. */
  | { readonly kind: 'string' | 'number' | 'parameter' | 'mark'; readonly text: string };

export type TokenAnswer =
  | { readonly kind: 'tokens'; readonly tokens: readonly SqlToken[] }
  | { readonly kind: 'problem'; readonly what: string };

/** Cuts SQL into tokens without understanding it. */
export function readSqlTokens(sql: string): TokenAnswer {
  const tokens: SqlToken[] = [];
  for (let at = 0; at < sql.length;) {
    const piece = nextPiece(sql, at);
    if (piece.kind === 'problem') return piece;
    if (piece.token !== null) tokens.push(piece.token);
    at = piece.end;
  }
  return { kind: 'tokens', tokens };
}

export type SqlPiece =
  | {
      readonly kind: 'piece';
      /** Null for blanks and comments. */ readonly token: SqlToken | null;
      readonly end: number;
    }
  | Extract<TokenAnswer, { kind: 'problem' }>;

/** What begins at a place that is the end of another piece. What opens and never closes is a problem here. */
export function nextPiece(sql: string, at: number, plain?: PlainStrings): SqlPiece {
  const { token, end, isClosed } = pieceAt(sql, at, plain);
  const written = sql.slice(at, end);
  return isClosed
    ? { kind: 'piece', token: token === undefined ? null : asWritten(token, written), end }
    : { kind: 'problem', what: `a ${whatOpens(written)} that is never closed` };
}

function asWritten({ kind, text }: LooseToken, written: string): SqlToken {
  if (kind === 'quoted') return { kind, text };
  if (kind !== 'word') return { kind, text: written };
  return { kind, text: written.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) };
}

function whatOpens(written: string): string {
  if (written.startsWith('/')) return 'comment';
  if (written.startsWith('$')) return 'dollar-quoted string';
  return /^(?:u&)?"/i.test(written) ? 'double quote' : 'string';
}
