import { analyse, type FileAnalysis } from '../../rules/analyse.ts';
import type { Finding } from '../../rules/checks/finding.ts';
import type { Place } from '../../rules/syntax/place.ts';
import { createProgram, type Program } from '../../src/lint/program.ts';
import type { Source } from './subject.ts';

/** What is said of a text, and where its client was acquired. */
export interface Sighting {
  readonly rule: string;
  readonly messageId: string;
  readonly path: string;
  /** The offsets at which the finding and the first step to it begin. */
  readonly at: number;
  readonly acquiredAt: number | undefined;
}

/** What is said of each of these files in one program, in this order; files that need not exist stand in front of the disk. */
export function sightingsIn(
  files: Readonly<Record<string, string>>,
  beside: Readonly<Record<string, string>> = {},
): readonly Sighting[] {
  const open = new Map(Object.entries({ ...beside, ...files }));
  const program = programOf(open, () => 1);
  return Object.entries(files).flatMap(([path, text]) => sightingsOf(path, text, program));
}

/** What is said of files after one of them was edited and the edit undone, in a program that saw them before, meanwhile and afterwards. */
export function sightingsAfterUndo(
  files: Readonly<Record<string, string>>,
  beside: Readonly<Record<string, string>>,
  edit: { readonly path: string; readonly text: string },
): readonly Sighting[] {
  const open = new Map(Object.entries({ ...beside, ...files }));
  let version = 0;
  const program = programOf(open, () => version);
  const look = (): readonly Sighting[] => {
    version++;
    return Object.keys(files).flatMap((path) => sightingsOf(path, open.get(path) ?? '', program));
  };
  const before = open.get(edit.path) ?? '';
  look();
  open.set(edit.path, edit.text);
  try {
    look();
  } catch {
    // What is half written may not parse.
  }
  open.set(edit.path, before);
  return look();
}

function programOf(open: ReadonlyMap<string, string>, version: () => number): Program {
  return createProgram({
    textOf: (path) => {
      const text = open.get(path);
      return text === undefined ? undefined : { text, version: version() };
    },
    paths: () => open.keys(),
  });
}

/** The offsets of the acquires of a file of which the analysis does not know what becomes. */
export function unknownAcquires({ path, text, beside = {} }: Source): readonly number[] {
  const program = programOf(new Map(Object.entries({ ...beside, [path]: text })), () => 1);
  const offsetOf = offsetsIn(text);
  return analysed(path, text, program)
    .verdicts()
    .filter(({ verdict }) => verdict === 'unknown')
    .map(({ place }) => offsetOf(place));
}

function sightingsOf(path: string, text: string, program: Program): readonly Sighting[] {
  const offsetOf = offsetsIn(text);
  return analysed(path, text, program)
    .findings()
    .map((finding) => sightingOf(finding, path, offsetOf));
}

function analysed(path: string, text: string, program: Program): FileAnalysis {
  const { ast, scopeManager: scopes, visitorKeys } = program.parse(text, path);
  return analyse({ path, text, ast, scopes, visitorKeys }, program.modules(), undefined);
}

function sightingOf(
  { rule, messageId, place, steps: [acquired] }: Finding,
  path: string,
  offsetOf: (place: Place) => number,
): Sighting {
  const isElsewhere = acquired?.file !== undefined && acquired.file !== path;
  return {
    rule,
    messageId,
    path,
    at: offsetOf(place),
    acquiredAt: acquired === undefined || isElsewhere ? undefined : offsetOf(acquired.place),
  };
}

function offsetsIn(text: string): (place: Place) => number {
  const lines = [0, ...[...text.matchAll(/\n/gu)].map(({ index }) => index + 1)];
  return ({ start: { line, column } }) => (lines[line - 1] ?? 0) + column;
}
