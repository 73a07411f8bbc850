import type { Problem } from './problem.ts';

/** The texts of other files that paths lead to, by absolute path, as the editor has them; `textAt` answers undefined for what cannot be read, and is asked for all of them at once. */
export async function textsBeside(
  problems: readonly Problem[],
  textAt: (path: string) => Promise<string | undefined>,
): Promise<ReadonlyMap<string, string>> {
  const files = new Set(problems.flatMap(({ steps }) => steps.flatMap(({ file }) => file ?? [])));
  const found = await Promise.all(
    [...files].map(async (file) => {
      const text = await textAt(file);
      return text === undefined ? [] : [[file, text] as const];
    }),
  );
  return new Map(found.flat());
}
