import type { Variable } from '../../syntax/source-file.ts';
import type { Resolver } from '../resolver.ts';
import type { Text } from './text.ts';

/** Several where it may be one of them; none where nothing is known. */
export type Texts = readonly Text[];

/** Texts of parameters, as a caller gave them: one, or those of a list in their order. */
export type GivenTexts = ReadonlyMap<Variable, Text | GivenList>;

export interface GivenList {
  readonly list: Texts;
}

export const nothingGiven: ReadonlyMap<Variable, Text | GivenList> = new Map();

interface Answer {
  readonly texts: Texts;
  /** How many questions deep it was found. */
  readonly height: number;
}

/** One question, with the questions on the way to its answer. */
export interface Question {
  readonly asked: Map<object, number>;
  /** The deepest question so far, those of known answers included. */
  deepest: number;
  /** The outermost question that was asked again on the way to its own answer. */
  outermost: number;
  isTooDeep: boolean;
}

export function createQuestion(): Question {
  return { asked: new Map(), deepest: 0, outermost: Number.POSITIVE_INFINITY, isTooDeep: false };
}

/** A text that takes more questions, one in the other, is not known. */
const maximalDepth = 120;

// A cache, keyed by the resolver and by what is known of parameters: it holds nothing of its own.
const answersByReading = new WeakMap<Resolver, WeakMap<GivenTexts, WeakMap<object, Answer>>>();

/**
 * Finds each answer once. Definitions may go round in circles: what is asked again on the way to its own answer is not known there,
 * and what was found with that is not kept, so that no answer depends on who asks first.
 */
export function answerOnce(
  subject: object,
  answers: WeakMap<object, Answer>,
  question: Question,
  find: () => Texts,
): Texts {
  const depth = question.asked.size;
  const known = answers.get(subject);
  noteDepth(question, depth + (known?.height ?? 0));
  if (question.isTooDeep) return [];
  if (known !== undefined) return known.texts;
  const before = question.asked.get(subject);
  if (before !== undefined) {
    question.outermost = Math.min(question.outermost, before);
    return [];
  }
  const { deepest, outermost } = question;
  question.asked.set(subject, depth);
  Object.assign(question, { deepest: depth, outermost: Number.POSITIVE_INFINITY });
  const texts = find();
  question.asked.delete(subject);
  const isWhole = question.outermost >= depth;
  if (isWhole && !question.isTooDeep)
    answers.set(subject, { texts, height: question.deepest - depth });
  question.deepest = Math.max(deepest, question.deepest);
  question.outermost = Math.min(outermost, isWhole ? outermost : question.outermost);
  return question.isTooDeep ? [] : texts;
}

function noteDepth(question: Question, depth: number): void {
  question.deepest = Math.max(question.deepest, depth);
  question.isTooDeep ||= depth > maximalDepth;
}

export function answersFor(resolver: Resolver, given: GivenTexts): WeakMap<object, Answer> {
  const byGiven = getOrMake(answersByReading, resolver, () => new WeakMap());
  return getOrMake(byGiven, given, () => new WeakMap());
}

function getOrMake<Key extends object, Made extends object>(
  map: WeakMap<Key, Made>,
  key: Key,
  make: () => Made,
): Made {
  const before = map.get(key);
  if (before !== undefined) return before;
  const made = make();
  map.set(key, made);
  return made;
}
