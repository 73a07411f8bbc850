import { positionsIn, type EditorRange, type Positions } from './positions.ts';
import type { Problem, Span, Step } from './problem.ts';

/** A problem with the places of it and of its steps as editors count. */
export interface PlacedProblem extends Problem {
  readonly range: EditorRange;
  readonly steps: readonly PlacedStep[];
}

export interface PlacedStep extends Step {
  readonly range: EditorRange;
}

/** The texts of other files, by absolute path. */
export type Beside = ReadonlyMap<string, Positions>;

/** Reads the files that problems lead to, as the editor has them; `textAt` answers undefined for what cannot be read, and is asked for all of them at once. */
export async function readBeside(
  problems: readonly Problem[],
  textAt: (path: string) => Promise<string | undefined>,
): Promise<Beside> {
  const files = new Set(problems.flatMap(({ steps }) => steps.flatMap(({ file }) => file ?? [])));
  const found = await Promise.all(
    [...files].map(async (file) => {
      const text = await textAt(file);
      return text === undefined ? [] : [[file, positionsIn(text)] as const];
    }),
  );
  return new Map(found.flat());
}

/** Finds the places of the problems of a text. */
export function placeProblems(
  problems: readonly Problem[],
  own: Positions,
  beside: Beside,
): readonly PlacedProblem[] {
  const placed = (step: Step): PlacedStep => {
    const positions = step.file === undefined ? own : beside.get(step.file);
    return { ...step, range: positions?.ofSpan(step) ?? asWritten(step) };
  };
  return problems.map((problem) => ({
    ...problem,
    range: own.ofSpan(problem),
    steps: problem.steps.map(placed),
  }));
}

/** Without its text: right for what has lines as everybody counts them. */
function asWritten({ line, column, endLine, endColumn }: Span): EditorRange {
  return {
    start: { line: line - 1, character: column - 1 },
    end: { line: endLine - 1, character: endColumn - 1 },
  };
}
