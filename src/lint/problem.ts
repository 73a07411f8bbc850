import type { Finding } from '../../rules/index.ts';

/** A finding in the words of its rule, or why less is known of a file; ready for a terminal, SARIF or an editor. The path is as the judge told it. */
export interface Problem extends Pick<Finding, 'place' | 'steps'> {
  /** `poolguard/<rule>`, or null when the file does not parse. */
  readonly rule: string | null;
  /** Of the rule's messages; left out where no rule says it. */
  readonly messageId?: string;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly fixes: readonly Fix[];
}

/** One self-contained edit: `text` replaces the characters from `range[0]` up to `range[1]`. */
export interface Fix {
  /** The rule's name for this kind of edit: `releaseInFinally`. */
  readonly kind?: string;
  readonly title: string;
  readonly range: readonly [start: number, end: number];
  readonly text: string;
}
