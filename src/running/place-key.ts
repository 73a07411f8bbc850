import type { CodePlace } from '../../monitor/report.ts';

/** Two places with the same key are the same. */
export function placeKey({ file, line, column }: CodePlace): string {
  return `${file}:${line}:${column}`;
}

/** The place in the application's own code that a stack is told by; null without stacks. */
export function topOf(stack: readonly CodePlace[]): CodePlace | null {
  return stack[0] ?? null;
}
