import type { TSESTree } from '@typescript-eslint/types';
import { walk } from '../../../rules/syntax/preorder.ts';
import {
  findAncestor,
  memberName,
  parentOf,
  variableOf,
} from '../../../rules/syntax/source-file.ts';
import { isFunction } from '../../../rules/syntax/node.ts';
import { edited, type Change, type Edit } from '../changed-text.ts';
import type { Subject } from '../subject.ts';

/** A change around one acquire. */
export interface ChangedRelease {
  /** Where the acquire begins. */
  readonly acquire: number;
  readonly change: Change;
}

interface Checkout {
  readonly call: TSESTree.CallExpression;
  readonly name: TSESTree.Identifier;
  readonly declaration: TSESTree.VariableDeclaration;
  readonly block: TSESTree.BlockStatement;
}

/** What follows `const client = await pool.connect()` runs in a `try` whose `finally` releases. */
export function releaseInFinally(subject: Subject): readonly ChangedRelease[] {
  return checkoutsIn(subject).map(({ call, name, declaration, block }) => {
    const [start, end] = [declaration.range[1], block.range[1] - 1];
    return changed(subject, call, [
      { range: [start, start], text: ' try {' },
      { range: [end, end], text: `} finally { ${name.name}.release(); } ` },
    ]);
  });
}

/** Takes the releases of a client away that is only queried and released, where it was checked out. */
export function takeReleasesAway(subject: Subject): readonly ChangedRelease[] {
  return checkoutsIn(subject).flatMap(({ call, name, declaration, block }) => {
    const uses = isSurelyReached(declaration, block) ? usesOf(name, subject) : undefined;
    const releases = uses?.filter((use) => memberName(use) === 'release') ?? [];
    const statements = releases.map(statementOf);
    const edits = statements.flatMap((statement) =>
      statement === undefined ? [] : [{ range: statement.range, text: ';' }],
    );
    return releases.length === 0 || edits.length < releases.length
      ? []
      : [changed(subject, call, edits)];
  });
}

function changed(
  subject: Subject,
  call: TSESTree.CallExpression,
  edits: readonly Edit[],
): ChangedRelease {
  return {
    acquire: call.range[0],
    change: { [subject.path]: edited([0, subject.text.length], edits) },
  };
}

function checkoutsIn(subject: Subject): readonly Checkout[] {
  const found: Checkout[] = [];
  walk(subject, subject.ast, (node) => {
    const checkout = node.type === 'VariableDeclaration' ? checkoutOf(node) : undefined;
    if (checkout !== undefined) found.push(checkout);
    return true;
  });
  return found;
}

function checkoutOf(declaration: TSESTree.VariableDeclaration): Checkout | undefined {
  const { kind, parent, declarations } = declaration;
  const [{ id, init }] = declarations;
  const call = init?.type === 'AwaitExpression' ? init.argument : undefined;
  const isConnect =
    call?.type === 'CallExpression' &&
    call.callee.type === 'MemberExpression' &&
    memberName(call.callee) === 'connect';
  return kind === 'const' &&
    declarations.length === 1 &&
    id.type === 'Identifier' &&
    parent.type === 'BlockStatement' &&
    isConnect
    ? { call, name: id, declaration, block: parent }
    : undefined;
}

/** At the beginning of a function: guards before it may exclude each other. */
function isSurelyReached(
  declaration: TSESTree.VariableDeclaration,
  { body, parent }: TSESTree.BlockStatement,
): boolean {
  return (
    isFunction(parent) &&
    body
      .slice(0, body.indexOf(declaration))
      .every(({ type }) => type === 'VariableDeclaration' || type === 'ExpressionStatement')
  );
}

/** Undefined where something else is done with the client than a member of it called, or in another function. */
function usesOf(
  name: TSESTree.Identifier,
  subject: Subject,
): readonly TSESTree.MemberExpression[] | undefined {
  const places = (variableOf(subject, name)?.references ?? [])
    .map(({ identifier }) => identifier as unknown as TSESTree.Identifier)
    .filter((place) => place !== name);
  const uses = places.flatMap((place) => {
    const up = parentOf(place);
    return up?.type === 'MemberExpression' &&
      up.object === place &&
      /^(?:query|release)$/u.test(memberName(up) ?? '') &&
      up.parent.type === 'CallExpression' &&
      up.parent.callee === up &&
      findAncestor(place, isFunction) === findAncestor(name, isFunction)
      ? [up]
      : [];
  });
  return uses.length === places.length ? uses : undefined;
}

function statementOf(use: TSESTree.MemberExpression): TSESTree.ExpressionStatement | undefined {
  const up = parentOf(use.parent);
  return up?.type === 'ExpressionStatement' ? up : undefined;
}
