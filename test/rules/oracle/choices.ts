/** The answers of one run to every question that the program leaves open. */
export interface Choices {
  /** A number below `options`; 0 is what happens when all goes well. */
  choose(options: number, question: string): number;
  readonly taken: readonly Choice[];
}

export interface Choice {
  readonly question: string;
  readonly options: number;
  readonly answer: number;
}

/** Repeats `prefix` and answers 0 from there on. */
export function createChoices(prefix: readonly number[]): Choices {
  const taken: Choice[] = [];
  return {
    taken,
    choose(options, question) {
      const answer = prefix[taken.length] ?? 0;
      taken.push({ question, options, answer });
      return answer;
    },
  };
}

/** The answers of the next run in depth-first order; null after the last. */
export function nextPrefix(taken: readonly Choice[]): readonly number[] | null {
  const last = taken.findLastIndex(({ options, answer }) => answer + 1 < options);
  if (last === -1) return null;
  return taken
    .slice(0, last + 1)
    .map(({ answer }, index) => (index === last ? answer + 1 : answer));
}
