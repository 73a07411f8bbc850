/** What went wrong in Poolguard itself, and not in the file that it looked at. */
export interface Mistake {
  /** A sentence without its full stop. */
  readonly message: string;
  readonly stack: string;
}

/** What was thrown, as data that can be sent to another thread. */
export function toMistake(thrown: unknown): Mistake {
  const { message, stack = message } =
    thrown instanceof Error ? thrown : { message: String(thrown) };
  const [first = ''] = message.split('\n');
  return { message: first.replace(/\.$/u, ''), stack };
}
