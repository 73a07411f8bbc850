import { createInspector, type InspectedFile } from '../../src/lint/linter.ts';
import { poolguard } from '../../src/lint/analyser.ts';

const inspect = createInspector(poolguard, {});

/** A text as the editor sees it after one run of the real rules. */
export function inspected(text: string, path = '/project/sample.ts'): InspectedFile {
  return inspect({ path, text });
}

/** A text with edits made, which must not touch each other. */
export function edited(
  text: string,
  edits: readonly { readonly range: readonly [number, number]; readonly text: string }[],
): string {
  const inOrder = [...edits].sort((a, b) => b.range[0] - a.range[0] || b.range[1] - a.range[1]);
  return inOrder.reduce(
    (before, { range: [start, end], text: replacement }) =>
      before.slice(0, start) + replacement + before.slice(end),
    text,
  );
}
