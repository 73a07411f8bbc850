import type { Place } from '../../rules/index.ts';

/** What linting one file gives, ready for a terminal, SARIF or an editor. Lines and columns are 1-based, ends exclusive, as in ESLint's messages. */
export interface Problem extends Span {
  /** `poolguard/<rule>`, or null when the file does not parse. */
  readonly rule: string | null;
  /** Of the rule's messages; left out where no rule says it. */
  readonly messageId?: string;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** The path to the harm, in order; empty when the message says it all. */
  readonly steps: readonly Step[];
  readonly fixes: readonly Fix[];
}

export interface Span {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** The analysis counts columns from 0, as ESTree does. */
export function spanOf({ start, end }: Place): Span {
  return {
    line: start.line,
    column: start.column + 1,
    endLine: end.line,
    endColumn: end.column + 1,
  };
}

export interface Step extends Span {
  readonly message: string;
  /** Absolute path when the step lies in another file. */
  readonly file?: string;
}

/** One self-contained edit: `text` replaces the characters from `range[0]` up to `range[1]`. */
export interface Fix {
  /** The rule's name for this kind of edit: `releaseInFinally`. */
  readonly kind?: string;
  readonly title: string;
  readonly range: readonly [start: number, end: number];
  readonly text: string;
}
