/** How deep questions lead to one another at this moment, over all that share it, and how often one was too deep to be asked. */
export interface Nesting {
  depth: number;
  cuts: number;
}

export function createNesting(): Nesting {
  return { depth: 0, cuts: 0 };
}

/** Deeper questions stay unanswered: the stack has room for several times as many. */
const deepest = 300;

/** Answers to questions that lead to one another, in circles as well, each found once. */
export interface Circles<Question, Answer> {
  /** Whether no answer is being found. */
  isIdle(): boolean;
  /** `unknown` for a question on the way to its own answer, and for one that is too deep. */
  ask(question: Question, unknown: Answer, find: () => Answer): Answer;
}

/** A question whose answer is being found. */
interface Open<Question> {
  /** The outermost open question for which the answer has taken `unknown`. */
  lowest: number;
  /** Questions whose answers count until this one is answered. */
  readonly passing: Question[];
}

/**
 * An answer that took `unknown` for a question still open is provisional and dropped when that question is answered. The order
 * of the questions changes no answer. One that was cut is dropped with the outermost question. `keep` receives the final
 * answers; callers look there first.
 */
export function createCircles<Question, Answer>(
  keep: (question: Question, answer: Answer) => void,
  nesting: Nesting,
): Circles<Question, Answer> {
  const open: Open<Question>[] = [];
  const places = new Map<Question, number>();
  const passing = new Map<Question, { readonly answer: Answer; readonly lowest: number }>();
  const note = (lowest: number): void => {
    const asking = open.at(-1);
    if (asking !== undefined) asking.lowest = Math.min(asking.lowest, lowest);
  };
  const close = (
    question: Question,
    answer: Answer,
    { lowest, passing: over }: Open<Question>,
  ): void => {
    for (const each of over) passing.delete(each);
    const asker = open[lowest];
    if (asker === undefined) keep(question, answer);
    else {
      passing.set(question, { answer, lowest });
      asker.passing.push(question);
      note(lowest);
    }
  };
  const findAnew = (question: Question, find: () => Answer): Answer => {
    const asked: Open<Question> = { lowest: Number.POSITIVE_INFINITY, passing: [] };
    const { cuts } = nesting;
    places.set(question, open.push(asked) - 1);
    nesting.depth++;
    let answer: Answer;
    try {
      answer = find();
    } catch (mistake) {
      for (const each of asked.passing) passing.delete(each);
      throw mistake;
    } finally {
      nesting.depth--;
      open.pop();
      places.delete(question);
    }
    if (nesting.cuts > cuts) asked.lowest = 0;
    close(question, answer, asked);
    return answer;
  };
  return {
    isIdle: () => open.length === 0,
    ask(question, unknown, find) {
      const now = passing.get(question);
      const place = now?.lowest ?? places.get(question);
      if (place !== undefined) note(place);
      if (now !== undefined) return now.answer;
      if (place !== undefined) return unknown;
      if (nesting.depth < deepest) return findAnew(question, find);
      nesting.cuts++;
      return unknown;
    },
  };
}
