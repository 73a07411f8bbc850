import type { Answers } from './answers.ts';
import type { Closure } from './closures.ts';
import type { Family, ModuleReader, Question } from './module-reader.ts';
import type { Trees } from './trees.ts';

/** Where what is read is noted; nowhere for the file that is linted. */
export interface Noting {
  closure?: Closure;
}

/** A reader that answers the questions about one file, with all that has been found through it. */
interface Desk {
  readonly noting: Noting;
  readonly reader: ModuleReader;
}

interface Asking {
  readonly answer: NonNullable<ModuleReader['answer']>;
  /** Files may have changed. */
  startRun(): void;
}

/**
 * Answers questions about files, all of one file by one reader for as long as the files stay as they are, so that what one question finds
 * out serves the next: an answer depends on what was read for those before it as well. A question on the way to another one of the same file
 * gets a reader of its own, and what was found while a question was on the way to its own answer serves no other.
 */
export function createAsking(
  trees: Trees,
  answers: Answers<unknown>,
  createReader: (noting: Noting) => ModuleReader,
): Asking {
  const desks = createDesks(createReader);
  /** For each file whose tree is there, what answers the others of each family that it was asked. */
  const families = new Map<string, Map<string, () => void>>();
  const noteFamily = <Found>(path: string, family: Family<Found>, unknown: Found): void => {
    const known = families.get(path) ?? new Map<string, () => void>();
    families.set(
      path,
      known.set(family.name, () => {
        answerOthers(path, family, unknown);
      }),
    );
  };
  const answerTo = <Found>(path: string, question: Question<Found>, unknown: Found): Found =>
    answers.answerFor(
      `${path}\0${question.text}`,
      unknown,
      (closure) => {
        const desk = desks.take(path, closure);
        const file = desk.reader.open?.(path);
        if (file === undefined) return unknown;
        if (question.family !== undefined) noteFamily(path, question.family, unknown);
        const provisional = answers.provisional();
        const found = question.find(desk.reader, file);
        if (answers.provisional() === provisional) desks.giveBack(path, desk);
        return found;
      },
      question.isSame as Question<unknown>['isSame'],
    ) as Found;
  const answerOthers = <Found>(path: string, family: Family<Found>, unknown: Found): void => {
    const reader = createReader({});
    const file = reader.open?.(path);
    if (file === undefined) return;
    for (const other of trees.withoutParsing(() => family.membersIn(reader, file)) ?? [])
      trees.withoutParsing(() => answerTo(path, other, unknown));
  };
  /** What was found holds the trees in which it was found. */
  const trim = (): void => {
    const hasLeft = trees.trim((leaving) => {
      for (const answer of families.get(leaving)?.values() ?? []) answer();
      families.delete(leaving);
    });
    if (hasLeft) desks.clear();
  };
  return {
    answer(path, question, unknown) {
      const found = answerTo(path, question, unknown);
      if (answers.isIdle()) trim();
      return found;
    },
    startRun: desks.clear,
  };
}

interface Desks {
  /** All that is read there from now on is noted in the closure. */
  readonly take: (path: string, closure: Closure) => Desk;
  readonly giveBack: (path: string, desk: Desk) => void;
  readonly clear: () => void;
}

function createDesks(createReader: (noting: Noting) => ModuleReader): Desks {
  /** By the path of their file, those that answer nothing at this moment. */
  const free = new Map<string, Desk>();
  return {
    take(path, closure) {
      const before = free.get(path);
      free.delete(path);
      const noting = before?.noting ?? {};
      if (noting.closure !== undefined) closure.parts.add(noting.closure);
      noting.closure = closure;
      return before ?? { noting, reader: createReader(noting) };
    },
    giveBack: (path, desk) => void free.set(path, desk),
    clear() {
      free.clear();
    },
  };
}
