import type { HeldSpan, Place } from '../../../rules/index.ts';
import type { CodePlace } from '../../../monitor/report.ts';
import type { Positions } from '../../lint/positions.ts';
import type { Problem } from '../../lint/problem.ts';
import { prefix } from '../../lint/analyser.ts';
import type { Evidence, EvidenceKind } from '../../running/evidence.ts';

/** A file that ran, as it was then, as it is now, and what the analysis says of it now: nothing of a file that is not open. */
export interface RanFile {
  /** As the editor knows it. */
  readonly uri: string;
  readonly ranText: string;
  /** Of the text of now. */
  readonly positions: Positions;
  readonly problems: readonly Problem[];
  /** Of the rules that a comment silences. */
  readonly silenced: readonly SilencedRule[];
  readonly spans: () => readonly HeldSpan[];
}

export interface SilencedRule {
  readonly rule: string;
  readonly line: number;
}

/** A place of the code that ran, in the text of now. */
export interface PlaceNow {
  readonly file: RanFile;
  /** As V8 counts, which is how ESLint does. */
  readonly place: Place;
}

/** Where evidence is shown. */
export interface Home extends PlaceNow {
  readonly evidence: Evidence;
  /** The finding that says before what was seen now. */
  readonly problem: Problem | undefined;
  /** Who called the place, and what it called to get the client. */
  readonly callers: readonly PlaceNow[];
  readonly inner: PlaceNow | undefined;
  readonly related: readonly { readonly what: 'acquired' | 'released'; readonly at: PlaceNow }[];
}

const holding: readonly string[] = [
  'no-unreleased-client',
  'no-external-await-while-holding',
  'no-nested-checkout',
];
const rulesFor: Readonly<Record<EvidenceKind, readonly string[]>> = {
  held: holding,
  'never-returned': holding,
  'double-release': ['no-double-release'],
  'use-after-release': ['no-use-after-release'],
  'open-transaction': ['no-open-transaction-release'],
};

const mostCallers = 3;

/**
 * The place that evidence belongs to: of its stack the innermost at which a finding says the same; else the innermost where the analysis knows
 * that a client is acquired; else the innermost. Undefined when no place is surely one of the texts of now, and where somebody meant it to be so:
 * a comment silences the rule, or the client listens.
 * @param fileAt the file that ran at a path; undefined when it is not one of the workspace, or was changed between the start and now
 */
export function findHome(
  evidence: Evidence,
  fileAt: (path: string) => RanFile | undefined,
): Home | undefined {
  const places = evidence.stack.map((place) => placeNow(place, evidence, fileAt));
  const known = places.flatMap((place, index) =>
    place === undefined ? [] : [{ place, index, problem: findingAt(place, evidence.kind) }],
  );
  if (known.some(({ place }) => isSilenced(place, evidence.kind))) return undefined;
  const flagged = known.find(({ problem }) => problem !== undefined);
  if (
    flagged === undefined &&
    isHolding(evidence.kind) &&
    known.some(({ place }) => listens(place))
  )
    return undefined;
  const chosen =
    flagged ??
    (isHolding(evidence.kind)
      ? known.find(({ place }) => acquireAt(place) !== undefined)
      : undefined) ??
    known[0];
  if (chosen === undefined) return undefined;
  const [first] = known;
  return {
    ...chosen.place,
    evidence,
    problem: chosen.problem,
    callers: known
      .filter(({ index }) => index > chosen.index)
      .slice(0, mostCallers)
      .map(({ place }) => place),
    inner: first === undefined || first === chosen ? undefined : first.place,
    related: evidence.related.flatMap(({ what, place }) => {
      const at = placeNow(place, evidence, fileAt);
      return at === undefined ? [] : [{ what, at }];
    }),
  };
}

/** Once an application has ended, nobody can say of a text that was changed whether it would do the same. */
function placeNow(
  { file: path, line, column }: CodePlace,
  { hasEnded }: Evidence,
  fileAt: (path: string) => RanFile | undefined,
): PlaceNow | undefined {
  const file = fileAt(path);
  if (file === undefined) return undefined;
  const [ran, text] = [inLines(file.ranText), inLines(file.positions.code)];
  const now = hasEnded && ran !== text ? undefined : movedLine(ran, text, line);
  const called = now === undefined ? undefined : callAt(text.split('\n')[now - 1] ?? '', column);
  if (now === undefined || called === undefined) return undefined;
  const at = (columnNow: number) => ({ line: now, column: columnNow - 1 });
  return { file, place: { start: at(called.column), end: at(called.endColumn) } };
}

/** How lines end is the editor's affair. */
function inLines(text: string): string {
  return text.replaceAll(/\r\n|[\r\u2028\u2029]/gu, '\n');
}

function isHolding(kind: EvidenceKind): boolean {
  return kind === 'held' || kind === 'never-returned';
}

/** On the same line; and for a client that is out, the finding that begins with its acquire on that line. */
function findingAt(
  { file, place: { start: at } }: PlaceNow,
  kind: EvidenceKind,
): Problem | undefined {
  const about = file.problems.filter(
    ({ rule }) => rule !== null && rulesFor[kind].includes(rule.slice(prefix.length)),
  );
  const covers = ({ place: { start, end } }: Pick<Problem, 'place'>): boolean =>
    start.line <= at.line && at.line <= end.line;
  const begins = ({ steps: [step] }: Problem): boolean =>
    step !== undefined && step.file === undefined && covers(step);
  return about.find(covers) ?? (isHolding(kind) ? about.find(begins) : undefined);
}

function acquireAt({ file, place: { start } }: PlaceNow): HeldSpan | undefined {
  return file
    .spans()
    .find(({ acquire }) => acquire.start.line <= start.line && start.line <= acquire.end.line);
}

function isSilenced({ file, place: { start } }: PlaceNow, kind: EvidenceKind): boolean {
  return file.silenced.some(
    ({ rule, line }) => line === start.line && rulesFor[kind].includes(rule.slice(prefix.length)),
  );
}

/** A client that listens is held for as long as the program runs. */
function listens(place: PlaceNow): boolean {
  return (
    acquireAt(place)?.statements.some(
      ({ words }) => words !== undefined && /^\s*LISTEN\b/iu.test(words),
    ) === true
  );
}

/** A chain of names that ends in a call, as V8 and source maps point at one: at its last name, or at its first. */
const call =
  /(?<name>(?:await\s+)?[\p{ID_Start}$_#][\p{ID_Continue}$]*(?:!?\??\.#?[\p{ID_Start}$_][\p{ID_Continue}$]*)*)(?:<[^<>()]{0,200}>)?(?:\?\.)?\s*[(`]/uy;
const longestLine = 2_000;

/**
 * What is called at a place of a line: its columns, from 1, the end exclusive. Undefined where nothing is: the place is then not one of this text,
 * as that of an old build whose source map points into newer source.
 */
export function callAt(
  line: string,
  column: number,
): { readonly column: number; readonly endColumn: number } | undefined {
  if (line.length > longestLine || /[\p{ID_Continue}$]/u.test(line.charAt(column - 2)))
    return undefined;
  call.lastIndex = column - 1;
  const name = call.exec(line)?.groups?.['name'];
  return name === undefined ? undefined : { column, endColumn: column + name.length };
}

/**
 * Where a line of one text is in a later one: before the first line that differs and after the last one lines are the same.
 * Undefined in between, where nobody can tell. Lines count from 1.
 */
export function movedLine(before: string, after: string, line: number): number | undefined {
  if (before === after) return line;
  const [old, now] = [before.split('\n'), after.split('\n')];
  const least = Math.min(old.length, now.length);
  let same = 0;
  while (same < least && old[same] === now[same]) same += 1;
  if (line <= same) return line;
  let sameAtEnd = 0;
  while (sameAtEnd < least - same && old.at(-1 - sameAtEnd) === now.at(-1 - sameAtEnd))
    sameAtEnd += 1;
  return line > old.length - sameAtEnd && line <= old.length
    ? line + now.length - old.length
    : undefined;
}
