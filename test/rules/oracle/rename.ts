import type { Linter, Scope } from 'eslint';
import type { PrintedProgram } from './print-program.ts';
import { sourceOf } from './verdict.ts';

/** Names that contain each other, so that one is easily taken for another. */
function newName(index: number): string {
  return `${'d'.repeat(index % 2)}${'at'.repeat(Math.floor(index / 2) % 5)}a${index < 10 ? '' : 'a'.repeat(index - 9)}`;
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The same program with other names for its variables; functions and parameters keep theirs, for what is called says something by its name. */
export function renamed(program: PrintedProgram, linter: Linter): PrintedProgram {
  const source = sourceOf(program);
  linter.verify(source, [{}], { filename: 'program.js' });
  const variables = (linter.getSourceCode().scopeManager.scopes ?? []).flatMap((scope) =>
    scope.type === 'module' || scope.type === 'global' ? [] : scope.variables.filter(isPlain),
  );
  const edits = variables.flatMap((variable, index) => editsFor(variable, newName(index)));
  const start = source.indexOf(program.text);
  const text = [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce(
      (before, edit) =>
        before.slice(0, edit.start - start) + edit.text + before.slice(edit.end - start),
      program.text,
    );
  return { ...program, text };
}

/** A constant or variable that nobody calls. */
function isPlain({ defs, references }: Scope.Variable): boolean {
  return (
    defs.length > 0 &&
    defs.every(({ type }) => type === 'Variable') &&
    references.every(({ identifier }) => {
      const { parent } = identifier as unknown as { parent: { type: string; callee?: unknown } };
      return parent.callee !== identifier;
    })
  );
}

function editsFor({ identifiers, references }: Scope.Variable, name: string): readonly Edit[] {
  const nodes = new Set([...identifiers, ...references.map(({ identifier }) => identifier)]);
  return [...nodes].flatMap((node) => {
    const { parent, range } = node as unknown as {
      parent: { type: string; shorthand?: boolean };
      range: [number, number];
    };
    const isShort = parent.type === 'Property' && parent.shorthand === true;
    return [
      {
        start: range[0],
        end: range[1],
        text: isShort ? `${(node as { name: string }).name}: ${name}` : name,
      },
    ];
  });
}
