import type { TSESTree } from '@typescript-eslint/types';
import { type Node, isFunction, type CallNode } from '../syntax/node.ts';
import { walk } from '../syntax/preorder.ts';
import {
  contains,
  findAncestor,
  parentOf,
  variableOf,
  type SourceFile,
  type Variable,
  isMember,
} from '../syntax/source-file.ts';
import type { Edit } from './suggestion.ts';

interface SingleQuery {
  readonly call: CallNode;
  readonly pool: Node;
  readonly query: CallNode;
  readonly variable: Variable;
}

/**
 * `const client = await pool.connect(); try { … client.query(…) … } finally { client.release(); }` becomes what stands in the `try`,
 * with the pool in the client's place. Undefined where anything else is there that would have to be kept.
 */
export function singleQueryEdits(
  { call, pool, query, variable }: SingleQuery,
  file: SourceFile,
): readonly Edit[] | undefined {
  const declaration = declarationOf(call);
  const attempt = declaration === undefined ? undefined : attemptAfter(declaration, variable, file);
  if (
    declaration === undefined ||
    attempt === undefined ||
    query.callee.type !== 'MemberExpression'
  )
    return undefined;
  const { object: receiver } = query.callee;
  // The query stands in the block, so it is not empty.
  const [first = attempt.block, last = first] = [attempt.block.body[0], attempt.block.body.at(-1)];
  if (!contains(attempt.block, query) || hidesNames(attempt, file)) return undefined;
  const shifts = shiftsOfLines(attempt.block, first, last, columnOf(declaration, file), file);
  return [
    { range: [declaration.range[0], first.range[0]], text: '' },
    ...shifts.filter(({ range }) => range[1] <= receiver.range[0]),
    { range: receiver.range, text: file.text.slice(...pool.range) },
    ...shifts.filter(({ range }) => range[0] >= receiver.range[1]),
    { range: [last.range[1], attempt.range[1]], text: '' },
  ];
}

function declarationOf(call: Node): TSESTree.VariableDeclaration | undefined {
  const declarator = findAncestor(
    call,
    (each): each is TSESTree.VariableDeclarator => each.type === 'VariableDeclarator',
  );
  const declaration = declarator?.parent;
  return declaration?.type === 'VariableDeclaration' &&
    declaration.declarations.length === 1 &&
    parentOf(declaration)?.type === 'BlockStatement'
    ? declaration
    : undefined;
}

/** The `try` after the checkout that has nothing besides but the release. */
function attemptAfter(
  declaration: TSESTree.VariableDeclaration,
  variable: Variable,
  file: SourceFile,
): TSESTree.TryStatement | undefined {
  const block = parentOf(declaration);
  const next =
    block?.type === 'BlockStatement' ? block.body[block.body.indexOf(declaration) + 1] : undefined;
  return next?.type === 'TryStatement' &&
    next.handler === null &&
    isReleaseOnly(next.finalizer, variable, file)
    ? next
    : undefined;
}

/** `{ client.release(); }` */
function isReleaseOnly(
  block: TSESTree.BlockStatement | null,
  variable: Variable,
  file: SourceFile,
): boolean {
  const [only, ...more] = block?.body ?? [];
  const call = only?.type === 'ExpressionStatement' ? only.expression : undefined;
  return (
    more.length === 0 &&
    call?.type === 'CallExpression' &&
    call.arguments.length === 0 &&
    isMember(call.callee, 'release') &&
    variableOf(file, call.callee.object) === variable
  );
}

/** What the `try` declares may be declared around it, too. */
function hidesNames(attempt: TSESTree.TryStatement, file: SourceFile): boolean {
  const own = file.scopes.scopes.find(({ block }) => (block as unknown as Node) === attempt.block);
  const names = own?.variables.map(({ name }) => name) ?? [];
  const fn = findAncestor(attempt, isFunction);
  const enclosing = file.scopes.scopes.filter(
    ({ block }) =>
      contains(block as unknown as Node, attempt) &&
      (block as unknown as Node) !== attempt.block &&
      (fn === undefined || contains(fn, block as unknown as Node)),
  );
  return names.some((name) => enclosing.some(({ set }) => set.has(name)));
}

function columnOf(statement: Node, file: SourceFile): number {
  return statement.range[0] - (file.text.lastIndexOf('\n', statement.range[0] - 1) + 1);
}

/** Edits that bring the lines of the block to the column of the declaration; lines within texts stay as they are. */
function shiftsOfLines(
  block: Node,
  first: Node,
  last: Node,
  column: number,
  file: SourceFile,
): readonly Edit[] {
  const surplus = columnOf(first, file) - column;
  if (surplus <= 0 || first.loc.start.line === block.loc.start.line) return [];
  const texts: Node[] = [];
  walk(file, block, (node) => {
    if (node.type === 'TemplateElement' || node.type === 'Literal') texts.push(node);
    return true;
  });
  const edits: Edit[] = [];
  for (
    let start = file.text.indexOf('\n', first.range[0]) + 1;
    start > 0 && start < last.range[1];
    start = file.text.indexOf('\n', start) + 1
  ) {
    const isInText = texts.some(({ range }) => range[0] < start && start < range[1]);
    if (!isInText && /^[ \t]*$/u.test(file.text.slice(start, start + surplus)))
      edits.push({ range: [start, start + surplus], text: '' });
  }
  return edits;
}
