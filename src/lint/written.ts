import type { TSESTree } from '@typescript-eslint/types';
import type { AST, SourceCode } from 'eslint';
import { treeOf } from '../../rules/project/parse-file.ts';

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

/** What an edit has to know of a file so that it lands in code, and not inside of a text. */
export interface Written {
  readonly comments: readonly WrittenComment[];
  /** Offset of the first token; the length of the text when there is none. */
  readonly codeStart: number;
  /** What the start of a line lies inside of: a template, a string, a regular expression or a comment of several lines is text. */
  readonly insideOf: (
    offset: number,
  ) => { readonly kind: 'code' | 'text' } | { readonly kind: 'jsx'; readonly end: number };
}

export function writtenIn(sourceCode: SourceCode): Written {
  const { ast } = treeOf(sourceCode);
  const { comments: found } = sourceCode.ast as AST.Program & {
    readonly comments: ReturnType<SourceCode['getAllComments']>;
  };
  const comments = found.flatMap((comment) => toComment(comment) ?? []);
  return {
    comments,
    codeStart: ast.body[0]?.range[0] ?? sourceCode.text.length,
    insideOf(offset) {
      const isInside = ([start, end]: readonly [number, number]) => start < offset && offset < end;
      if (comments.some(({ textStart, end }) => isInside([textStart - 2, end])))
        return { kind: 'text' };
      const text = textAt(offset, sourceCode);
      if (text === undefined) return { kind: 'code' };
      const [start, end] = text.range;
      if ((text.type as string) === 'JSXText') return { kind: 'jsx', end };
      return { kind: isInside([start, end]) ? 'text' : 'code' };
    },
  };
}

const texts: ReadonlySet<string> = new Set(['JSXText', 'Literal', 'TemplateElement']);

/** What is written as text around an offset, or from there on. */
function textAt(offset: number, sourceCode: SourceCode): TSESTree.Node | undefined {
  const { ast, visitorKeys } = treeOf(sourceCode);
  const around = ({ range: [start, end] }: TSESTree.Node) => start <= offset && offset < end;
  // The list grows while it is read: it is the way down, on which nodes do not overlap.
  const way: TSESTree.Node[] = [ast];
  for (const node of way) {
    if (texts.has(node.type)) return node;
    const inner = (visitorKeys[node.type] ?? [])
      .flatMap((key) => (node as unknown as Children)[key] ?? [])
      .find(around);
    if (inner !== undefined) way.push(inner);
  }
  return undefined;
}

type Children = Readonly<Record<string, TSESTree.Node | TSESTree.Node[] | null>>;

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
