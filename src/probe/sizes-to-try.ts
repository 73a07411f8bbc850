import type { Refusal } from './refusal.ts';
import type { Stage } from './stage.ts';

export interface SizesToTry {
  readonly kind: 'sizes';
  /** Rising, each once. */
  readonly sizes: readonly number[];
  /** About those that are left out. */
  readonly notes: readonly string[];
}

/** The sizes that were asked for, as far as this probe may open so many connections. */
export function sizesToTry(
  asked: readonly number[],
  { cap }: Pick<Stage['seen'], 'cap'>,
): SizesToTry | Refusal {
  const sorted = [...new Set(asked)].sort((one, other) => one - other);
  const sizes = sorted.filter((size) => size <= cap.size);
  const beyond = sorted.filter((size) => size > cap.size);
  if (sizes.length === 0)
    return {
      kind: 'refused',
      sentence: `None of the sizes ${sorted.join(', ')} can be tried: this probe may open ${cap.size} connections (${cap.because}).`,
    };
  const notes =
    beyond.length === 0
      ? []
      : [
          `Left out: ${beyond.join(', ')}, since this probe may open ${cap.size} connections (${cap.because}).`,
        ];
  return { kind: 'sizes', sizes, notes };
}
