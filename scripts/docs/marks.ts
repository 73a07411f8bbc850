/** The two lines around a generated region of a Markdown file. */
export interface Marks {
  readonly start: string;
  readonly end: string;
}

export function marksFor(region: string): Marks {
  return {
    start: `<!-- ${region}: \`npm run docs\` writes what stands between these marks -->`,
    end: `<!-- end of ${region} -->`,
  };
}

/** The text with `content` between the marks; undefined when it has no such marks. */
export function fillBetween(
  text: string,
  { start, end }: Marks,
  content: string,
): string | undefined {
  const from = text.indexOf(start);
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0) return undefined;
  return `${text.slice(0, from + start.length)}\n\n${content}\n\n${text.slice(to)}`;
}
