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
  /**
   * `unknown` for a question on the way to its own answer, and for one that is too deep. With `isSame` an answer for which its own was asked is
   * found again with what was found, until that is the same.
   */
  ask(
    question: Question,
    unknown: Answer,
    find: () => Answer,
    isSame?: (one: Answer, other: Answer) => boolean,
  ): Answer;
}

/** A question whose answer is being found. */
interface Open<Question, Answer> {
  /** What it is taken to be by who asks for it meanwhile. */
  readonly assumed: Answer;
  isAssumed: boolean;
  /** The outermost open question for which the answer has taken `unknown`. */
  lowest: number;
  /** Questions whose answers count until this one is answered. */
  readonly passing: Question[];
}

/** What has not settled after so many rounds is what it was in the first. */
const mostRounds = 8;

/** The questions that are open, and the answers that count until one of them is answered. */
interface Stack<Question, Answer> {
  readonly open: Open<Question, Answer>[];
  readonly places: Map<Question, number>;
  readonly passing: Map<Question, { readonly answer: Answer; readonly lowest: number }>;
  readonly nesting: Nesting;
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
  const stack: Stack<Question, Answer> = {
    open: [],
    places: new Map(),
    passing: new Map(),
    nesting,
  };
  const { open, places, passing } = stack;
  const note = (lowest: number): void => {
    const asking = open.at(-1);
    if (asking !== undefined) asking.lowest = Math.min(asking.lowest, lowest);
  };
  const close = (
    question: Question,
    answer: Answer,
    { lowest, passing: over }: Open<Question, Answer>,
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
  return {
    isIdle: () => open.length === 0,
    ask(question, unknown, find, isSame) {
      const now = passing.get(question);
      const place = now?.lowest ?? places.get(question);
      if (place !== undefined) note(place);
      if (now !== undefined) return now.answer;
      const asked = place === undefined ? undefined : open[place];
      if (asked !== undefined) {
        asked.isAssumed = true;
        return asked.assumed;
      }
      if (nesting.depth < deepest) {
        const found = findUntilSame(question, unknown, find, stack, isSame);
        close(question, found.answer, found.asked);
        return found.answer;
      }
      nesting.cuts++;
      return unknown;
    },
  };
}

interface Found<Question, Answer> {
  readonly asked: Open<Question, Answer>;
  readonly answer: Answer;
}

/** Again with each answer for as long as it is another one than was taken on the way to it. */
function findUntilSame<Question, Answer>(
  question: Question,
  unknown: Answer,
  find: () => Answer,
  stack: Stack<Question, Answer>,
  isSame: ((one: Answer, other: Answer) => boolean) | undefined,
): Found<Question, Answer> {
  const first = findOnce(question, unknown, find, stack);
  let last = first;
  for (let round = 1; round < mostRounds; round++) {
    const { asked, answer } = last;
    if (!asked.isAssumed || isSame === undefined || isSame(asked.assumed, answer)) return last;
    for (const each of asked.passing) stack.passing.delete(each);
    last = findOnce(question, answer, find, stack);
  }
  for (const each of last.asked.passing) stack.passing.delete(each);
  return first;
}

/** With what the answer is assumed to be by what is asked on the way to it. */
function findOnce<Question, Answer>(
  question: Question,
  assumed: Answer,
  find: () => Answer,
  { open, places, passing, nesting }: Stack<Question, Answer>,
): Found<Question, Answer> {
  const asked: Open<Question, Answer> = {
    assumed,
    isAssumed: false,
    lowest: Number.POSITIVE_INFINITY,
    passing: [],
  };
  const { cuts } = nesting;
  places.set(question, open.push(asked) - 1);
  nesting.depth++;
  try {
    const answer = find();
    if (nesting.cuts > cuts) asked.lowest = 0;
    return { asked, answer };
  } catch (mistake) {
    for (const each of asked.passing) passing.delete(each);
    throw mistake;
  } finally {
    nesting.depth--;
    open.pop();
    places.delete(question);
  }
}
