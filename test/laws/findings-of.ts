import { analyse } from '../../rules/analyse.ts';
import type { Finding } from '../../rules/checks/finding.ts';
import type { Place } from '../../rules/syntax/place.ts';
import { createProgram, type Program } from '../../src/lint/program.ts';

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
  const open: Readonly<Record<string, string>> = { ...beside, ...files };
  const program = createProgram({
    textOf: (path) => {
      const text = open[path];
      return text === undefined ? undefined : { text, version: 1 };
    },
    paths: () => Object.keys(open),
  });
  return Object.entries(files).flatMap(([path, text]) => sightingsOf(path, text, program));
}

function sightingsOf(path: string, text: string, program: Program): readonly Sighting[] {
  const { ast, scopeManager: scopes, visitorKeys } = program.parse(text, path);
  const file = { path, text, ast, scopes, visitorKeys };
  const lines = lineStartsOf(text);
  return analyse(file, program.modules(), undefined)
    .findings()
    .map((finding) => sightingOf(finding, path, lines));
}

function sightingOf(
  { rule, messageId, place, steps: [acquired] }: Finding,
  path: string,
  lines: readonly number[],
): Sighting {
  const offsetOf = ({ start: { line, column } }: Place): number => (lines[line - 1] ?? 0) + column;
  const isElsewhere = acquired?.file !== undefined && acquired.file !== path;
  return {
    rule,
    messageId,
    path,
    at: offsetOf(place),
    acquiredAt: acquired === undefined || isElsewhere ? undefined : offsetOf(acquired.place),
  };
}

function lineStartsOf(text: string): readonly number[] {
  return [0, ...[...text.matchAll(/\n/gu)].map(({ index }) => index + 1)];
}
