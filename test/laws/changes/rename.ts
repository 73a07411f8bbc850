import type { TSESTree } from '@typescript-eslint/types';
import { parentOf, type Variable } from '../../../rules/syntax/source-file.ts';
import { edited, type Change, type Edit } from '../changed-text.ts';
import type { Subject } from '../subject.ts';

/** Names that hold each other. */
export function similarNames(index: number): string {
  const stem = ['a', 'data', 'at', 'dat', 'ata', 'ta'][index % 6] ?? '';
  return `${stem}${index < 6 ? '' : Math.floor(index / 6)}`;
}

export function neutralNames(index: number): string {
  return `v${index}x`;
}

/** Names that say what their bearers may do, and mean nothing. */
export function tellingNames(index: number): string {
  const words = [
    'abortAll',
    'limit',
    'lock',
    'turn',
    'done',
    'release',
    'keep',
    'debug',
    'queue',
    'next',
    'commitAll',
    'destroyed',
    'shutdown',
    'callback',
    'error',
    'cleanUp',
    'giveBack',
    'commit',
    'withRetry',
    'pipeline',
    'onConnect',
    'directUrl',
    'join',
    'reject',
  ];
  return `${words[index % words.length] ?? ''}${index < words.length ? '' : Math.floor(index / words.length)}`;
}

/** Gives imports other names, `import { Pool as v0x }`. Undefined where there are none. */
export function renameImports(subject: Subject): Change | undefined {
  return rename(subject, neutralNames, new Set(['ImportBinding']));
}

/** Gives the variables, parameters and functions of a file other names. Undefined where it has none. */
export function rename(
  subject: Subject,
  nameAt: (index: number) => string,
  kinds = renamed,
): Change | undefined {
  const taken = new Set(subject.text.match(/[\w$]+/gu));
  let index = -1;
  const edits = variablesOf(subject, kinds).flatMap((variable) => {
    do index++;
    while (taken.has(nameAt(index)));
    const name = nameAt(index);
    return (placesOf(variable, subject) ?? []).map((place) =>
      editAt(place, variable.name, name, subject),
    );
  });
  return edits.length === 0
    ? undefined
    : { [subject.path]: edited([0, subject.text.length], edits) };
}

const renamed: ReadonlySet<string> = new Set([
  'Variable',
  'Parameter',
  'FunctionName',
  'CatchClause',
]);

function variablesOf({ scopes, text }: Subject, kinds: ReadonlySet<string>): readonly Variable[] {
  return scopes.scopes.flatMap(({ variables }) =>
    variables.filter(
      (variable) =>
        variable.defs.length === 1 &&
        variable.name !== 'this' &&
        variable.defs.every(({ type, node }) => kinds.has(type) && !isExported(node as never)) &&
        // Comments may give it a type.
        !new RegExp(`(?:\\*|//)[^\\n]*\\b${variable.name.replaceAll('$', '\\$')}\\b`, 'u').test(
          text,
        ),
    ),
  );
}

function isExported(node: TSESTree.Node): boolean {
  const declaration = node.type === 'VariableDeclarator' ? node.parent : node;
  return declaration.parent?.type.startsWith('Export') === true;
}

/** Undefined where the name says more than which variable is meant: what a constructor's parameter becomes, or a type. */
function placesOf(
  variable: Variable,
  { text }: Subject,
): readonly TSESTree.Identifier[] | undefined {
  const places = [
    ...new Set([
      ...variable.identifiers,
      ...variable.references.map(({ identifier }) => identifier),
    ]),
  ] as unknown as readonly TSESTree.Identifier[];
  const isPlain = places.every(
    (place) =>
      text.startsWith(variable.name, place.range[0]) &&
      parentOf(place)?.type !== 'TSParameterProperty' &&
      parentOf(parentOf(place) ?? place)?.type !== 'TSParameterProperty',
  );
  return isPlain ? places : undefined;
}

function editAt(place: TSESTree.Identifier, before: string, name: string, { ast }: Subject): Edit {
  const [start] = place.range;
  return {
    range: [start, start + before.length],
    text: isShorthand(place, ast)
      ? `${before}: ${name}`
      : isImportedAsItIs(place)
        ? `${before} as ${name}`
        : parentOf(place)?.type === 'ExportSpecifier'
          ? exportedAs(place, before, name)
          : name,
  };
}

function isShorthand(place: TSESTree.Identifier, ast: TSESTree.Program): boolean {
  const up = parentOf(place) ?? ast;
  const value = up.type === 'AssignmentPattern' && up.left === place ? parentOf(up) : up;
  return (
    value?.type === 'Property' &&
    value.shorthand &&
    (value.value === place || (up.type === 'AssignmentPattern' && value.value === up))
  );
}

function isImportedAsItIs(place: TSESTree.Identifier): boolean {
  const up = parentOf(place);
  return up?.type === 'ImportSpecifier' && up.imported.range[0] === place.range[0];
}

function exportedAs(place: TSESTree.Identifier, before: string, name: string): string {
  const specifier = parentOf(place) as TSESTree.ExportSpecifier;
  return specifier.exported.range[0] === place.range[0] ? `${name} as ${before}` : name;
}
