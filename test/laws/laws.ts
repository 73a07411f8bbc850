import { placeAfter, printed, type Change } from './changed-text.ts';
import { toArrowFunctions, toFunctionExpressions } from './changes/functions.ts';
import { extractHelper, inlineHelper } from './changes/helpers.ts';
import { addComments, removeComments, rewordComments } from './changes/comments.ts';
import {
  neutralNames,
  rename,
  renameImports,
  similarNames,
  tellingNames,
} from './changes/rename.ts';
import { releaseInFinally, takeReleasesAway, type ChangedRelease } from './changes/release.ts';
import { splitDeclarations, wrapAwaits } from './changes/statements.ts';
import {
  addAtEnd,
  addImport,
  addInside,
  idleText,
  moveHelper,
  reverseFunctions,
  shuffleFunctions,
} from './changes/top-level.ts';
import { sightingsAfterUndo, sightingsIn, unknownAcquires, type Sighting } from './findings-of.ts';
import type { Source, Subject } from './subject.ts';

/** A change of a program that changes nothing of what is said of it. `choice` picks one of several places. */
export interface Law {
  readonly name: string;
  readonly change: (subject: Subject, choice: number) => Change | undefined;
  /** The rules whose findings stand where they stood; all where none is given. */
  readonly rules?: readonly string[];
  /** It changes only what stands before what: of several clients that are held at one place, the first is named. */
  readonly isOfOrder?: true;
  /**
   * A file of its own does not know what its functions are given, and of what they do less is known elsewhere: no acquire that was
   * known has a mistake that it did not have, and which of its mistakes is named may be another.
   */
  readonly moves?: true;
}

const leaks = ['no-unreleased-client'];
const releaseMistakes = [...leaks, 'no-use-after-release', 'no-double-release'];

export const laws: readonly Law[] = [
  {
    name: 'names that hold each other',
    change: (subject) => rename(subject, similarNames),
  },
  {
    name: 'names that say nothing',
    change: (subject) => rename(subject, neutralNames),
  },
  {
    name: 'names that say too much',
    change: (subject, choice) => rename(subject, (index) => tellingNames(index + choice)),
  },
  { name: 'imports under other names', change: renameImports },
  { name: 'more comments', change: addComments },
  { name: 'no comments', change: removeComments },
  { name: 'other comments', change: rewordComments },
  { name: 'a helper for a statement', change: extractHelper, rules: leaks },
  { name: 'what a helper does in its place', change: inlineHelper, rules: leaks },
  { name: 'functions in another order', change: reverseFunctions, isOfOrder: true },
  { name: 'functions in any order', change: shuffleFunctions, isOfOrder: true },
  {
    name: 'a helper in a module of its own',
    change: moveHelper,
    rules: releaseMistakes,
    moves: true,
  },
  ...Object.entries(idleText).map(([name, text]) => ({
    name,
    change: (subject: Subject) => addAtEnd(subject, text),
  })),
  { name: 'a test inside of a function that is never true', change: addInside },
  { name: 'an import that nobody uses', change: addImport },
  { name: 'function expressions for arrow functions', change: toFunctionExpressions },
  { name: 'arrow functions for function expressions', change: toArrowFunctions },
  { name: 'a block around each `await`', change: wrapAwaits },
  { name: 'a declaration for each constant', change: splitDeclarations },
];

/** What is said differently of a changed program; nothing where the change has no place in it. */
export function breachesOf(law: Law, subject: Subject, choice: number): readonly string[] {
  const change = law.change(subject, choice);
  if (change === undefined) return [];
  const { source } = subject;
  const isJudged = ({ rule }: Sighting) => law.rules?.includes(rule) ?? true;
  const namedIn = namingOf(law);
  const files = textsOf(change, source);
  const after = sightingsIn(files, source.beside).filter(isJudged).map(namedIn).map(describeAsItIs);
  const isKnown = (each: string) => law.moves !== true || after.includes(each);
  const before = [
    ...sightingsIn({ [source.path]: source.text }, source.beside)
      .filter(isJudged)
      .map(namedIn),
    ...(law.moves === true ? unknownAcquires(source).map(mistakeAt(source.path)) : []),
  ]
    .map((sighting) => describe(sighting, (offset) => placeAfter(offset, change, source.text)))
    .filter(isKnown);
  return toldOf(`${law.name}: ${source.name}`, before, after, files);
}

/** What of a sighting a law compares. */
function namingOf(law: Law): (sighting: Sighting) => Sighting {
  if (law.isOfOrder === true) return (sighting) => ({ ...sighting, acquiredAt: undefined });
  if (law.moves !== true) return (sighting) => sighting;
  return ({ path, at, acquiredAt = at }) => mistakeAt(path)(acquiredAt);
}

/** Whichever mistake it is that is made with the client of an acquire. */
function mistakeAt(path: string): (acquiredAt: number) => Sighting {
  return (acquiredAt) => ({
    rule: 'a release mistake',
    messageId: 'of the client',
    path,
    at: acquiredAt,
    acquiredAt,
  });
}

/** What a linter says differently of files when it meets them in the opposite order. */
export function breachesOfOrder(
  files: Readonly<Record<string, string>>,
  beside: Readonly<Record<string, string>> = {},
): readonly string[] {
  const backwards = Object.fromEntries(Object.entries(files).reverse());
  const [before, after] = [files, backwards].map((each) =>
    sightingsIn(each, beside).map(describeAsItIs),
  );
  return toldOf('files in another order', before ?? [], after ?? [], files);
}

/** What is said differently after a line was taken away and put back, in the file or in a module that has a part of it. */
export function breachesOfUndo(subject: Subject, choice: number): readonly string[] {
  const { source } = subject;
  const moved = moveHelper(subject, choice);
  const files = moved === undefined ? { [source.path]: source.text } : textsOf(moved, source);
  const paths = Object.keys(files);
  const path = paths[choice % paths.length] ?? source.path;
  const lines = files[path]?.split('\n') ?? [];
  const text = lines.toSpliced(choice % lines.length, 1).join('\n');
  const fresh = sightingsIn(files, source.beside).map(describeAsItIs);
  const after = sightingsAfterUndo(files, source.beside ?? {}, { path, text }).map(describeAsItIs);
  return toldOf('a line taken away and put back', fresh, after, files);
}

/** An acquire whose client goes back in a `finally` and is said to leak all the same, and one that nothing is said of though its client never goes back. */
export function breachesOfRelease(subject: Subject): readonly string[] {
  return [
    ...releaseInFinally(subject).flatMap((each) =>
      isLeak(each, subject)
        ? told('a leak though released in a finally', [], textsOf(each.change, subject))
        : [],
    ),
    ...takeReleasesAway(subject).flatMap((each) =>
      isLeak(each, subject)
        ? []
        : told('no leak without a release', [], textsOf(each.change, subject)),
    ),
  ];
}

function isLeak({ acquire, change }: ChangedRelease, { source }: Subject): boolean {
  const place = placeAfter(acquire, change, source.text);
  return sightingsIn(textsOf(change, source), source.beside).some(
    ({ rule, path, at }) => rule === 'no-unreleased-client' && `${path}:${at}` === place,
  );
}

function textsOf(change: Change, { text }: Pick<Source, 'text'>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(change).map(([path, parts]) => [path, printed(parts, text)]),
  );
}

function toldOf(
  what: string,
  before: readonly string[],
  after: readonly string[],
  files: Readonly<Record<string, string>>,
): readonly string[] {
  const differences = [
    ...before.filter((each) => !after.includes(each)).map((each) => `- ${each}`),
    ...after.filter((each) => !before.includes(each)).map((each) => `+ ${each}`),
  ];
  return differences.length === 0 ? [] : told(what, differences, files);
}

function told(
  what: string,
  different: readonly string[],
  files: Readonly<Record<string, string>>,
): readonly string[] {
  return [[what, ...different, ...Object.values(files)].join('\n')];
}

function describeAsItIs(sighting: Sighting): string {
  return describe(sighting, (offset) => `${sighting.path}:${offset}`);
}

function describe(
  { rule, messageId, at, acquiredAt }: Sighting,
  placeOf: (offset: number) => string | undefined,
): string {
  const acquired = acquiredAt === undefined ? '' : ` acquired at ${placeOf(acquiredAt)}`;
  return `${rule} ${messageId} at ${placeOf(at)}${acquired}`;
}
