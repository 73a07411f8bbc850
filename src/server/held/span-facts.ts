import type { HeldSpan, Place } from '../../../rules/index.ts';

/** Lines as people say them: "line 6", "lines 6 to 15". */
export interface Lines {
  readonly first: number;
  readonly last: number;
}

/** Spans of which every way is known: of others nothing is said. */
export function knownSpans(spans: readonly HeldSpan[]): readonly HeldSpan[] {
  return spans.filter(({ isComplete, lines }) => isComplete && lines.length > 0);
}

export function linesOf({ lines, acquire }: HeldSpan): Lines {
  return {
    first: lines[0]?.startLine ?? acquire.start.line,
    last: lines.at(-1)?.endLine ?? acquire.end.line,
  };
}

/** Each line once, in order. */
export function startLines(places: readonly Place[]): readonly number[] {
  return [...new Set(places.map(({ start }) => start.line))].sort((a, b) => a - b);
}

/** `1 statement`, `3 statements` */
export function counted(amount: number, one: string): string {
  return `${amount} ${one}${amount === 1 ? '' : 's'}`;
}
