import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from '../syntax/node.ts';
import { awaited } from './edits.ts';
import type { Edit } from './suggestion.ts';
import { contains, unwrap, type SourceFile } from '../syntax/source-file.ts';
import { isSelfContained } from './client-uses.ts';
import type { HeldClient } from './held-client.ts';
import type { IsAsLong } from './held-as-long.ts';
import { beginsLine, indentLines, restOfLine, startOfContent } from './lines.ts';
import { removalsOf } from './removal.ts';

/** What stands between the checkout and the `try` whose `finally` releases becomes the beginning of that `try`. */
export function moveIntoTry(
  held: HeldClient,
  file: SourceFile,
  isAsLong: IsAsLong,
): readonly Edit[] | undefined {
  const { declaration, rest, uses, unit, indent } = held;
  const index = rest.findIndex(
    (each) => each.type === 'TryStatement' && isReleasedFirst(each, held),
  );
  const between = rest.slice(0, index);
  const [target, last] = [rest[index], between.at(-1)];
  if (
    target?.type !== 'TryStatement' ||
    last === undefined ||
    !mayJoin(between, target, held, file)
  )
    return undefined;
  const range: Node['range'] = [declaration.range[1], target.range[0]];
  const releases = uses.releases.filter((each) =>
    isIn(each, [range[0], target.finalizer?.range[0] ?? 0]),
  );
  const removals = removalsOf(releases, file.text);
  const [start, end] = [startOfContent(file.text, range[0]), target.block.range[0] + 1];
  if (
    removals === undefined ||
    uses.unclear.some((each) => isIn(each, range)) ||
    !uses.others.every((each) => each.range[1] <= target.range[1]) ||
    !isAsLong([range[0], target.finalizer?.range[0] ?? 0], releases) ||
    !isByLines(declaration, between, target, file)
  )
    return undefined;
  const tail = file.text.slice(0, target.range[0]).trimEnd().length;
  return [
    ...removals,
    ...awaited(uses.returned.filter((each) => isIn(each, range))),
    { range: [start, start], text: `${indent}try {\n` },
    ...indentLines(file, [start, tail], unit, between, removals),
    { range: [tail, end], text: '' },
  ];
}

function isIn(node: Node, [start, end]: Node['range']): boolean {
  return start <= node.range[0] && node.range[1] <= end;
}

/** The `finally` releases before it does anything else. */
function isReleasedFirst(
  { finalizer }: TSESTree.TryStatement,
  { uses: { releases } }: HeldClient,
): boolean {
  return releases.some((release) => release === finalizer?.body[0]);
}

/**
 * A failure of these statements is then handled by the `catch` of that `try`: which is what it is there for when they are work on
 * the client, and changes nothing when it throws again.
 */
function mayJoin(
  between: readonly TSESTree.Statement[],
  { block, handler, range }: TSESTree.TryStatement,
  held: HeldClient,
  file: SourceFile,
): boolean {
  const [first] = between;
  const last = between.at(-1);
  if (first === undefined || last === undefined) return false;
  const own: Node['range'] = [first.range[0], last.range[1]];
  const isMovable = between.every(
    (each) =>
      each.type !== 'FunctionDeclaration' &&
      each.type !== 'ClassDeclaration' &&
      (handler === null || throwsAgain(handler) || isWorkOnClient(each, held)),
  );
  return (
    isMovable &&
    range[0] >= own[1] &&
    isSelfContained(file, own, [own[0], block.range[1]]) &&
    !declaresAgain(own, block, file)
  );
}

function throwsAgain({ body, param }: TSESTree.CatchClause): boolean {
  const last = body.body.at(-1);
  return (
    last?.type === 'ThrowStatement' &&
    last.argument.type === 'Identifier' &&
    param?.type === 'Identifier' &&
    last.argument.name === param.name &&
    !leavesEarlier(body)
  );
}

function leavesEarlier(body: TSESTree.BlockStatement): boolean {
  return body.body.slice(0, -1).some(({ type }) => type !== 'ExpressionStatement');
}

/** `await client.query('BEGIN');` */
function isWorkOnClient(statement: TSESTree.Statement, { uses: { others } }: HeldClient): boolean {
  const expression =
    statement.type === 'ExpressionStatement' ? unwrap(statement.expression) : undefined;
  const call = expression?.type === 'AwaitExpression' ? unwrap(expression.argument) : undefined;
  return (
    call?.type === 'CallExpression' &&
    call.callee.type === 'MemberExpression' &&
    others.some((each) => contains(call.callee, each))
  );
}

/** A name of the moved statements that the block of the `try` declares itself. */
function declaresAgain(
  [start, end]: Node['range'],
  block: TSESTree.BlockStatement,
  file: SourceFile,
): boolean {
  const inBlock =
    file.scopes.scopes.find((scope) => (scope.block as Node) === block)?.variables ?? [];
  return file.scopes.scopes.some(({ variables }) =>
    variables.some(
      ({ name, identifiers }) =>
        identifiers.some(
          ({ range }) => range !== undefined && start <= range[0] && range[1] <= end,
        ) && inBlock.some((each) => each.name === name),
    ),
  );
}

function isByLines(
  declaration: Node,
  between: readonly Node[],
  target: TSESTree.TryStatement,
  { text }: SourceFile,
): boolean {
  const [first] = between;
  if (first === undefined) return false;
  return (
    [declaration, first, target].every(({ range: [start] }) => beginsLine(text, start)) &&
    /^\s*(?:\/\/.*)?$/u.test(restOfLine(text, declaration.range[1])) &&
    /^try *\{$/u.test(text.slice(target.range[0], target.block.range[0] + 1)) &&
    restOfLine(text, target.block.range[0] + 1).trim() === ''
  );
}
