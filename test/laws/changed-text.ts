/** A stretch of the original, whole or with other words in its place; or words that are new. */
export type Part =
  string | { readonly range: readonly [start: number, end: number]; readonly text?: string };

/** New texts by path, made of parts of one original. */
export type Change = Readonly<Record<string, readonly Part[]>>;

export interface Edit {
  readonly range: readonly [start: number, end: number];
  readonly text: string;
}

export function printed(parts: readonly Part[], original: string): string {
  return parts.map((part) => textOf(part, original)).join('');
}

function textOf(part: Part, original: string): string {
  return typeof part === 'string' ? part : (part.text ?? original.slice(...part.range));
}

/** The parts of a stretch with edits made in it, which do not touch each other. */
export function edited(
  [start, end]: readonly [number, number],
  edits: readonly Edit[],
): readonly Part[] {
  const inside = edits
    .filter(({ range }) => range[0] >= start && range[1] <= end)
    .sort((a, b) => a.range[0] - b.range[0] || a.range[1] - b.range[1]);
  const ends = [start, ...inside.map(({ range }) => range[1])];
  return [
    ...inside.flatMap((edit, index): Part[] => [
      { range: [ends[index] ?? start, edit.range[0]] },
      edit.range[0] === edit.range[1] ? edit.text : edit,
    ]),
    { range: [ends.at(-1) ?? start, end] },
  ];
}

/** Where something of the original has gone, as `path:offset`; undefined when it was taken away. */
export function placeAfter(offset: number, change: Change, original: string): string | undefined {
  for (const [path, parts] of Object.entries(change)) {
    let at = 0;
    for (const part of parts) {
      if (typeof part !== 'string' && part.range[0] <= offset && offset < part.range[1])
        return `${path}:${at + (part.text === undefined ? offset - part.range[0] : 0)}`;
      at += textOf(part, original).length;
    }
  }
  return undefined;
}
