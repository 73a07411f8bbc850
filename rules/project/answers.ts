import type { Closure, Closures } from './closures.ts';

/** Plain answers to questions about other files, kept without the trees that were read for them. */
export interface Answers<Found> {
  /** `find` notes in the closure all that it reads. What a question on the way to its own answer gets is `unknown`. */
  answerFor(question: string, unknown: Found, find: (closure: Closure) => Found): Found;
}

interface Answer<Found> {
  readonly found: Found;
  readonly closure: Closure;
}

/** An answer that is being found; `lowest` is the outermost one still open for which it has taken `unknown`. */
interface Open {
  readonly question: string;
  readonly closure: Closure;
  lowest: number;
}

/**
 * Remembers answers for as long as their closures stay as they are. One that took `unknown` for another question, which is still
 * open, counts only until that is answered: so an answer does not depend on which question came first.
 */
export function createAnswers<Found>(closures: Closures): Answers<Found> {
  const kept = new Map<string, Answer<Found>>();
  const passing = new Map<string, Answer<Found> & { readonly lowest: number }>();
  const open: Open[] = [];
  const use = ({ found, closure }: Answer<Found>, lowest: number): Found => {
    const asking = open.at(-1);
    if (asking !== undefined) {
      asking.closure.parts.add(closure);
      asking.lowest = Math.min(asking.lowest, lowest);
    }
    return found;
  };
  const close = ({ question, closure, lowest }: Open, found: Found): Found => {
    const depth = open.length;
    for (const [each, answer] of passing) if (answer.lowest >= depth) passing.delete(each);
    if (lowest < depth) passing.set(question, { found, closure, lowest });
    else kept.set(question, { found, closure });
    return use({ found, closure }, lowest < depth ? lowest : Infinity);
  };
  const findAnew = (question: string, find: (closure: Closure) => Found): Found => {
    const asked: Open = { question, closure: closures.create(), lowest: Infinity };
    open.push(asked);
    try {
      const found = find(asked.closure);
      open.pop();
      return close(asked, found);
    } catch (mistake) {
      open.length = 0;
      passing.clear();
      throw mistake;
    }
  };
  return {
    answerFor(question, unknown, find) {
      const before = kept.get(question);
      if (before !== undefined && closures.isAsItWas(before.closure)) return use(before, Infinity);
      const now = passing.get(question);
      if (now !== undefined) return use(now, now.lowest);
      const index = open.findIndex((each) => each.question === question);
      if (index < 0) return findAnew(question, find);
      const asking = open.at(-1) as Open;
      asking.lowest = Math.min(asking.lowest, index);
      return unknown;
    },
  };
}
