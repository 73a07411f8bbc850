import type { TSESTree } from '@typescript-eslint/types';
import type { Parsed } from '../../rules/project/trees.ts';

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

export function writtenIn(tree: Parsed, text: string): Written {
  const { ast } = tree;
  const comments = [...hashbangIn(text), ...(ast.comments ?? []).map(toComment)];
  return {
    comments,
    codeStart: ast.body[0]?.range[0] ?? text.length,
    insideOf(offset) {
      const isInside = ([start, end]: readonly [number, number]) => start < offset && offset < end;
      if (comments.some(({ textStart, end }) => isInside([textStart - 2, end])))
        return { kind: 'text' };
      const around = textAt(offset, tree);
      if (around === undefined) return { kind: 'code' };
      const [start, end] = around.range;
      if ((around.type as string) === 'JSXText') return { kind: 'jsx', end };
      return { kind: isInside([start, end]) ? 'text' : 'code' };
    },
  };
}

const texts: ReadonlySet<string> = new Set(['JSXText', 'Literal', 'TemplateElement']);

/** What is written as text around an offset, or from there on. */
function textAt(offset: number, { ast, visitorKeys }: Parsed): TSESTree.Node | undefined {
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

/** A comment to the reader, and nothing to a parser. */
function hashbangIn(text: string): readonly WrittenComment[] {
  const [whole, said] = /^#!(.*)/u.exec(text) ?? [];
  return whole === undefined || said === undefined
    ? []
    : [{ kind: 'hashbang', text: said, textStart: 2, end: whole.length, line: 1, endLine: 1 }];
}

function toComment({ type, value, range, loc }: TSESTree.Comment): WrittenComment {
  return {
    kind: (type as string) === 'Block' ? 'block' : 'line',
    text: value,
    textStart: range[0] + 2,
    end: range[1],
    line: loc.start.line,
    endLine: loc.end.line,
  };
}
