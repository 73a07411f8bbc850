/** Whole sentences after each other; null for one that does not apply. */
export function sentences(parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null).join(' ');
}

export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** For example "1,490". */
export function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** For example "1 view" and "1,490 views". */
export function counted(number: number, what: string): string {
  return `${count(number)} ${what}${number === 1 ? '' : 's'}`;
}

/** For example "93 %" for 0.93. */
export function share(value: number): string {
  return `${Math.round(value * 100)} %`;
}

/** For example "2.5 ms", and "1,490 ms". */
export function milliseconds(ms: number): string {
  return `${ms < 10 ? ms.toFixed(1) : count(ms)} ms`;
}
