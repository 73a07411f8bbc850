/** A piece of SQL that matters for judging a statement. Comments and blanks are left out. */
export type SqlToken =
  | {
      readonly kind: 'word';
      /** In lower case, as a server folds it: the letters of ASCII alone. */ readonly text: string;
    }
  | {
      readonly kind: 'quoted';
      /** An identifier in double quotes, without them. */ readonly text: string;
    }
  | { readonly kind: 'string' | 'number' | 'parameter' | 'mark'; readonly text: string };

export type TokenAnswer =
  | { readonly kind: 'tokens'; readonly tokens: readonly SqlToken[] }
  | { readonly kind: 'problem'; readonly what: string };

interface Shape {
  /** Null for what is skipped. */
  readonly kind: SqlToken['kind'] | null;
  readonly pattern: RegExp;
  readonly read?: (text: string) => string;
}

/**
 * In order of trial; the lexical rules of PostgreSQL (`scan.l`) with `standard_conforming_strings` on.
 * Anything that opens and never closes falls through to `broken`.
 */
const shapes: readonly Shape[] = [
  { kind: null, pattern: /\s+/y },
  { kind: null, pattern: /--[^\n\r]*/y },
  { kind: 'string', pattern: /e'(?:[^'\\]|\\[^]|'')*'/iy },
  { kind: 'string', pattern: /(?:[bxn]|u&)?'(?:[^']|'')*'/iy },
  { kind: 'string', pattern: /(\$(?:[a-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$)[^]*?\1/iy },
  {
    kind: 'quoted',
    pattern: /"(?:[^"]|"")*"/y,
    read: (text) => text.slice(1, -1).replaceAll('""', '"'),
  },
  { kind: 'parameter', pattern: /\$\d+/y },
  {
    kind: 'word',
    pattern: /[a-z_\u0080-\uffff][\w$\u0080-\uffff]*/iy,
    read: (text) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
  },
  // Ends where a name begins (`1..f(2)`, and before PostgreSQL 15 `1or f(2)`), so that none is taken for a part of a number.
  {
    kind: 'number',
    pattern:
      /0x[\da-f_]+|0o[0-7_]+|0b[01_]+|(?:\d[\d_]*(?:\.(?!\.)[\d_]*)?|\.\d[\d_]*)(?:e[+-]?\d[\d_]*)?/iy,
  },
  { kind: 'mark', pattern: /[^"'$]/y },
];

const broken: Readonly<Record<string, string>> = {
  '"': 'a double quote that is never closed',
  "'": 'a string that is never closed',
  $: 'a dollar-quoted string that is never closed',
};

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

/** What begins at a place that is the end of another piece. */
export function nextPiece(sql: string, at: number): SqlPiece {
  if (sql.startsWith('/*', at)) {
    const end = findCommentEnd(sql, at);
    return end === null
      ? { kind: 'problem', what: 'a comment that is never closed' }
      : { kind: 'piece', token: null, end };
  }
  const found = matchShape(sql, at);
  return found === null
    ? { kind: 'problem', what: broken[sql.charAt(at)] ?? 'a character that cannot be read' }
    : { kind: 'piece', ...found };
}

function matchShape(sql: string, at: number): { token: SqlToken | null; end: number } | null {
  for (const { kind, pattern, read } of shapes) {
    const sticky = new RegExp(pattern.source, pattern.flags);
    sticky.lastIndex = at;
    const text = sticky.exec(sql)?.[0];
    if (text !== undefined)
      return {
        token: kind === null ? null : { kind, text: read?.(text) ?? text },
        end: at + text.length,
      };
  }
  return null;
}

/** Block comments nest. Null when one never ends. */
function findCommentEnd(sql: string, start: number): number | null {
  const edge = /\/\*|\*\//g;
  edge.lastIndex = start;
  let depth = 0;
  for (let match = edge.exec(sql); match !== null; match = edge.exec(sql)) {
    depth += match[0] === '/*' ? 1 : -1;
    if (depth === 0) return edge.lastIndex;
  }
  return null;
}
