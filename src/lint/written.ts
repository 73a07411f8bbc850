import type { AST, SourceCode } from 'eslint';

export interface WrittenComment {
  readonly kind: 'line' | 'block' | 'hashbang';
  /** Without its marks. */
  readonly text: string;
  /** Offset at which `text` begins. */
  readonly textStart: number;
  readonly end: number;
  /** 1-based. */
  readonly line: number;
  readonly endLine: number;
}

/** What an edit has to know of a file so that it lands between the tokens, and not inside of one. */
export interface Written {
  readonly comments: readonly WrittenComment[];
  /** Offset of the first token; the length of the text when there is none. */
  readonly codeStart: number;
  /** What an offset lies inside of: between tokens is code; a template, a string or a comment of several lines is text. */
  readonly insideOf: (
    offset: number,
  ) => { readonly kind: 'code' | 'text' } | { readonly kind: 'jsx'; readonly end: number };
}

export function writtenIn(sourceCode: SourceCode): Written {
  const { tokens, comments: found } = sourceCode.ast as AST.Program & {
    readonly comments: ReturnType<SourceCode['getAllComments']>;
  };
  const comments = found.flatMap((comment) => toComment(comment) ?? []);
  return {
    comments,
    codeStart: tokens[0]?.range[0] ?? sourceCode.text.length,
    insideOf(offset) {
      const isInside = ([start, end]: readonly [number, number]) => start < offset && offset < end;
      if (comments.some(({ textStart, end }) => isInside([textStart - 2, end])))
        return { kind: 'text' };
      const token = tokens.find(
        ({ range }) => isInside(range) || (range[0] === offset && isInside([offset - 1, range[1]])),
      );
      if (token === undefined) return { kind: 'code' };
      if ((token.type as string) === 'JSXText') return { kind: 'jsx', end: token.range[1] };
      return { kind: isInside(token.range) ? 'text' : 'code' };
    },
  };
}

function toComment({
  type,
  value,
  range,
  loc,
}: ReturnType<SourceCode['getAllComments']>[number]): WrittenComment | undefined {
  const kind = { Line: 'line', Block: 'block', Shebang: 'hashbang' }[type as string] as
    WrittenComment['kind'] | undefined;
  if (kind === undefined || range === undefined || !loc) return undefined;
  return {
    kind,
    text: value,
    textStart: range[0] + 2,
    end: range[1],
    line: loc.start.line,
    endLine: loc.end.line,
  };
}
