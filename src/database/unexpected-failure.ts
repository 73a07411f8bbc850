import type { DatabaseFailure } from './failure.ts';
import { messageOf } from './failure-words.ts';

/** A mistake of ours: says what was thrown, and guesses nothing about the server. */
export function unexpectedFailure(error: unknown): DatabaseFailure {
  return {
    kind: 'unexpected',
    sentence: `Poolguard failed unexpectedly: ${messageOf(error, null)}.`,
    code: null,
    error,
  };
}
