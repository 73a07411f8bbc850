export interface CodeBlock {
  /** For example "ts"; empty when the fence names none. */
  readonly language: string;
  readonly text: string;
  /** `pgbouncer:transaction` of a fence that says `js pooler=pgbouncer:transaction`: the pooler that the example runs behind. */
  readonly pooler: string | undefined;
  /** The last line of prose before the fence. */
  readonly caption: string;
  /** 1-based line of the opening fence. */
  readonly line: number;
}

/** The fenced code blocks of a Markdown text, in order. */
export function codeBlocksOf(markdown: string): readonly CodeBlock[] {
  return [...markdown.matchAll(/^```(\w*)(?: pooler=(\S+))?\n(.*?)^```$/gms)].map(
    ({ 1: language = '', 2: pooler, 3: text = '', index }) => {
      const before = markdown.slice(0, index);
      return {
        language,
        text,
        pooler,
        caption: before.trimEnd().split('\n').at(-1) ?? '',
        line: before.split('\n').length,
      };
    },
  );
}
