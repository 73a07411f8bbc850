import type { TSESTree } from '@typescript-eslint/types';
import { walk } from '../../../rules/syntax/preorder.ts';
import { variableOf, type Variable } from '../../../rules/syntax/source-file.ts';
import type { Change, Part } from '../changed-text.ts';
import type { Subject } from '../subject.ts';

type Range = readonly [start: number, end: number];

/** Turns the order of the functions at the top level round. Undefined where there are fewer than two. */
export function reverseFunctions(subject: Subject): Change | undefined {
  return inOrder(subject, (places) => places.toReversed());
}

/** Puts the functions at the top level in one of many orders. */
export function shuffleFunctions(subject: Subject, choice: number): Change | undefined {
  return inOrder(subject, (places) => shuffled(places, choice));
}

function shuffled(places: readonly number[], choice: number): readonly number[] {
  const left = [...places];
  return places.map(
    (_, index) => left.splice((choice * 31 + index * 7) % left.length, 1)[0] ?? index,
  );
}

function inOrder(
  subject: Subject,
  reorder: (places: readonly number[]) => readonly number[],
): Change | undefined {
  const { body } = subject.ast;
  const overloaded = body.some(({ type }) => type === 'TSDeclareFunction');
  const places = body.flatMap((statement, index) => (functionIn(statement) ? [index] : []));
  if (places.length < 2 || overloaded) return undefined;
  const others = reorder(places);
  const order = new Map(places.map((place, index) => [place, others[index] ?? place]));
  const parts = body.flatMap((_, index): Part[] => [
    { range: withSpaceBefore(order.get(index) ?? index, subject) },
    '\n',
  ]);
  return {
    [subject.path]: [...parts, { range: [body.at(-1)?.range[1] ?? 0, subject.text.length] }],
  };
}

function functionIn(
  statement: TSESTree.ProgramStatement,
): TSESTree.FunctionDeclaration | undefined {
  const declaration =
    statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
  return declaration?.type === 'FunctionDeclaration' ? declaration : undefined;
}

/** Behind `#!`, where imports may stand. */
function startOf({ text }: Subject): number {
  return /^#!.*\n?/u.exec(text)?.[0].length ?? 0;
}

/** With the comments above. */
function withSpaceBefore(index: number, { ast: { body } }: Subject): Range {
  return [index === 0 ? 0 : (body[index - 1]?.range[1] ?? 0), body[index]?.range[1] ?? 0];
}

/** Moves a function that needs nothing of its file but imports to a module of its own. Undefined where there is none. */
export function moveHelper(subject: Subject, choice: number): Change | undefined {
  const { ast, path, text } = subject;
  if (ast.sourceType !== 'module' || path.endsWith('.cjs')) return undefined;
  const helpers = ast.body.flatMap((statement, index) => {
    const needed =
      statement.type === 'FunctionDeclaration' ? importsNeededBy(statement, subject) : undefined;
    return needed === undefined ? [] : [{ statement, index, needed }];
  });
  const chosen = helpers[choice % Math.max(1, helpers.length)];
  const name = (chosen?.statement as TSESTree.FunctionDeclaration | undefined)?.id?.name;
  if (chosen === undefined || name === undefined) return undefined;
  const start = startOf(subject);
  const [before, end] = withSpaceBefore(chosen.index, subject);
  const moved: Range = [Math.max(before, start), end];
  const extension = /\.\w+$/u.exec(path)?.[0] ?? '';
  return {
    [path]: [
      { range: [0, start] },
      `import { ${name} } from './moved-helper${extension}';\n`,
      { range: [start, moved[0]] },
      { range: [moved[1], text.length] },
    ],
    [path.replace(/[^/]*$/u, `moved-helper${extension}`)]: [
      ...chosen.needed.flatMap((range): Part[] => [text.slice(...range), '\n']),
      { range: [moved[0], chosen.statement.range[0]] },
      'export ',
      { range: [chosen.statement.range[0], moved[1]] },
      '\n',
    ],
  };
}

/**
 * Undefined where the function needs more than imports, is written to, or calls itself: rounds are walked in a file, and summed up for
 * others.
 */
function importsNeededBy(
  helper: TSESTree.FunctionDeclaration,
  subject: Subject,
): readonly Range[] | undefined {
  const own = helper.id === null ? undefined : variableOf(subject, helper.id);
  if (own?.references.some((each) => each.isWrite()) !== false) return undefined;
  if (own.references.length === 0) return undefined;
  if (own.references.some(({ identifier }) => inside(identifier, helper))) return undefined;
  const outer = outerVariables(helper, subject).filter((variable) => variable !== own);
  const imports = outer.map((variable) => variable.defs[0]);
  return imports.every((definition) => definition?.type === 'ImportBinding')
    ? [...new Set(imports.map((definition) => definition?.parent as TSESTree.Node))].map(
        ({ range }) => range,
      )
    : undefined;
}

function inside(node: object, outer: TSESTree.Node): boolean {
  const { range } = node as TSESTree.Node;
  return outer.range[0] <= range[0] && range[1] <= outer.range[1];
}

/** Variables of the file, types included, that a function speaks of and does not declare. */
function outerVariables(helper: TSESTree.Node, { scopes }: Subject): readonly Variable[] {
  return scopes.scopes
    .flatMap(({ variables }) => variables)
    .filter(
      ({ defs, identifiers, references }) =>
        defs.length > 0 &&
        !identifiers.every((each) => inside(each, helper)) &&
        references.some(({ identifier }) => inside(identifier, helper)),
    );
}

/** What nobody runs or uses, at the top and at the end. */
export const idleText = {
  'a function that nobody calls': 'function nobodyCallsThis(value) {\n  return value;\n}',
  'a test that is never true': 'if (false) {\n}',
  'a constant that nobody reads': 'const nobodyReadsThis = 1;',
} as const;

export function addAtEnd(subject: Subject, idle: string): Change {
  return { [subject.path]: [{ range: [0, subject.text.length] }, `\n${idle}\n`] };
}

export function addImport(subject: Subject): Change | undefined {
  if (subject.ast.sourceType !== 'module' || subject.path.endsWith('.cjs')) return undefined;
  const start = startOf(subject);
  return {
    [subject.path]: [
      { range: [0, start] },
      "import * as nobodyUsesThis from 'node:path';\n",
      { range: [start, subject.text.length] },
    ],
  };
}

/** `if (false) {}` before a statement of a function. */
export function addInside(subject: Subject, choice: number): Change | undefined {
  const places: number[] = [];
  walk(subject, subject.ast, (node) => {
    const isBody = node.type === 'BlockStatement' && node.parent.type !== 'Program';
    if (isBody)
      for (const statement of node.body)
        if (!('directive' in statement && statement.directive !== undefined))
          places.push(statement.range[0]);
    return true;
  });
  const place = places[choice % Math.max(1, places.length)];
  return place === undefined
    ? undefined
    : {
        [subject.path]: [
          { range: [0, place] },
          'if (false) {} ',
          { range: [place, subject.text.length] },
        ],
      };
}
