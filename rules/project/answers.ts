import { createCircles, type Nesting } from './circles.ts';
import type { Closure, Closures } from './closures.ts';

/** Plain answers to questions about other files, kept without the trees that were read for them. */
export interface Answers<Found> {
  /** Whether no answer is being found. */
  isIdle(): boolean;
  /** How often an answer was given that holds only for as long as another question is open, or a question was too deep. */
  provisional(): number;
  /** `find` notes in the closure all that it reads. What a question on the way to its own answer gets is `unknown`, with `isSame` only to begin with. */
  answerFor(
    question: string,
    unknown: Found,
    find: (closure: Closure) => Found,
    isSame?: (one: Found, other: Found) => boolean,
  ): Found;
}

interface Answer<Found> {
  readonly found: Found;
  readonly closure: Closure;
}

/** Remembers answers for as long as their closures stay as they are. */
export function createAnswers<Found>(closures: Closures, nesting: Nesting): Answers<Found> {
  const kept = new Map<string, Answer<Found>>();
  const asking: Closure[] = [];
  const circles = createCircles<string, Answer<Found> | undefined>((question, answer) => {
    if (answer !== undefined) kept.set(question, answer);
  }, nesting);
  let taken = 0;
  const findAnew = (find: (closure: Closure) => Found): Answer<Found> => {
    const closure = closures.create();
    asking.push(closure);
    try {
      return { found: find(closure), closure };
    } finally {
      asking.pop();
    }
  };
  return {
    isIdle: () => circles.isIdle(),
    provisional: () => taken + nesting.cuts,
    answerFor(question, unknown, find, isSame) {
      const before = kept.get(question);
      let isFinal = before !== undefined && closures.isAsItWas(before.closure);
      const answer = isFinal
        ? before
        : circles.ask(
            question,
            undefined,
            () => {
              isFinal = true;
              return findAnew(find);
            },
            isSame &&
              ((one, other) =>
                isSame(one === undefined ? unknown : one.found, other?.found ?? unknown)),
          );
      if (!isFinal) taken++;
      if (answer === undefined) return unknown;
      asking.at(-1)?.parts.add(answer.closure);
      return answer.found;
    },
  };
}
