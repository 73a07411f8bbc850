import type { TSESTree } from '@typescript-eslint/types';
import type { State } from '../flow/explore.ts';
import { isChain } from '../syntax/chains.ts';
import type { Node, CallNode } from '../syntax/node.ts';
import { harmlessMembers } from '../model/client-members.ts';
import { methods, transactionEnds } from '../model/drivers.ts';
import { statementKinds, type StatementKind } from '../model/sql.ts';
import { isQuietReceiver } from '../typestate/quiet-objects.ts';
import type { Checkout } from '../typestate/checkout.ts';
import type { Fact } from '../typestate/facts.ts';
import { someIn } from '../syntax/preorder.ts';
import {
  contains,
  memberName,
  parentOf,
  unwrap,
  variableOf,
  type SourceFile,
  declarationOf,
} from '../syntax/source-file.ts';

/**
 * True when code that cannot be seen into may end the transaction on a way, or when a test that the analysis does not know decides
 * whether it is ended: the way may then not exist. `way` begins after the BEGIN, or behind what failed last.
 */
export function mayEndUnseen(
  way: readonly State<Fact>[],
  checkout: Checkout,
  file: SourceFile,
): boolean {
  return way.some((state) => {
    const { kind, node } = state.point;
    return (
      kind === 'eval' &&
      node !== null &&
      (isUnseenEnd(node, state, checkout, file) || isGuardOfEnd(node, state, way, checkout, file))
    );
  });
}

/**
 * True for a call that may end the transaction although it was not followed: a text that it is given does, a function of this file that
 * it calls, or a method of an object of which nothing is known but that libraries call the end so: `tx.commit()`.
 */
export function speaksOfEnd(node: Node, checkout: Checkout, file: SourceFile): boolean {
  return (
    node.type === 'CallExpression' &&
    !isChain(node) &&
    !isQuietReceiver(node.callee, file) &&
    !isFollowed(node, checkout) &&
    (node.arguments.some((given) => writesEnd(given, checkout, file, new Set())) ||
      callsEnd(node.callee, checkout, file, new Set()))
  );
}

/** Whether code has the text of a statement that ends a transaction, or calls what has. */
function writesEnd(code: Node, checkout: Checkout, file: SourceFile, seen: Set<Node>): boolean {
  return someIn(
    file,
    code,
    (node) =>
      isEnd(textOf(node)) ||
      (node.type === 'CallExpression' &&
        !isQuietReceiver(node.callee, file) &&
        callsEnd(node.callee, checkout, file, seen)),
  );
}

function callsEnd(callee: Node, checkout: Checkout, file: SourceFile, seen: Set<Node>): boolean {
  const called = checkout.closureOf(callee);
  if (called === null) return transactionEnds.has(memberName(callee) ?? '');
  if (seen.has(called)) return false;
  return writesEnd(called.body, checkout, file, seen.add(called));
}

function textOf(node: Node): string {
  if (node.type === 'TemplateElement') return node.value.cooked ?? '';
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : '';
}

function isEnd(text: string): boolean {
  return text !== '' && statementKinds(text).some(isEndOfTransaction);
}

function isEndOfTransaction({ transaction }: StatementKind): boolean {
  return transaction === 'commit' || transaction === 'rollback' || transaction === 'prepare';
}

/** A query of the client, or a helper that was followed into: what it ends is known. */
function isFollowed(call: CallNode, { session, lends }: Checkout): boolean {
  return session.sent.has(call) && !lends.has(call);
}

function isUnseenEnd(
  node: Node,
  state: State<Fact>,
  checkout: Checkout,
  file: SourceFile,
): boolean {
  if (checkout.lends.has(node)) return true;
  if (node.type !== 'CallExpression' || checkout.graph.inlined.has(node)) return false;
  const { callee } = node;
  const member =
    callee.type === 'MemberExpression' && checkout.valueOf(callee.object, state.fact) === 'client'
      ? memberName(callee)
      : undefined;
  if (member === methods.query) return isUnknownText(node, checkout);
  if (member !== undefined) return member !== methods.release && !harmlessMembers.has(member);
  return speaksOfEnd(node, checkout, file) || isMethodOfHolder(callee, checkout, file);
}

/** A text that is not known, and no values: what takes values is no COMMIT. */
function isUnknownText(query: CallNode, { session }: Checkout): boolean {
  return query.arguments.length === 1 && (session.sent.get(query)?.kinds.length ?? 0) === 0;
}

/** `db.execute(…)`, where `const db = drizzle(client)` has made `db` with the client, and `commit()` of `const { commit } = begin(client)`. */
function isMethodOfHolder(callee: Node, { lends }: Checkout, file: SourceFile): boolean {
  const holder = unwrap(callee.type === 'MemberExpression' ? callee.object : callee);
  const definition = declarationOf(variableOf(file, holder));
  const init = definition?.type === 'VariableDeclarator' ? definition.init : null;
  return init !== null && [...lends].some((call) => contains(init, call));
}

/** The way passes a test, and the branch that it does not take ends the transaction. */
function isGuardOfEnd(
  test: Node,
  { fact }: State<Fact>,
  way: readonly State<Fact>[],
  checkout: Checkout,
  file: SourceFile,
): boolean {
  const guard = guardOf(test);
  if (guard === undefined || checkout.valueOf(test, fact) === 'client') return false;
  return branchesOf(guard).some(
    (branch) =>
      !way.some(({ point }) => point.node !== null && contains(branch, point.node)) &&
      endsIn(branch, checkout, file),
  );
}

type Guard =
  | TSESTree.IfStatement
  | TSESTree.ConditionalExpression
  | TSESTree.LogicalExpression
  | TSESTree.SwitchStatement;

/** The statement whose test this is, or is a part of. */
function guardOf(test: Node): Guard | undefined {
  for (let inner = test, up = parentOf(test); up !== undefined; inner = up, up = parentOf(up)) {
    if ((up.type === 'IfStatement' || up.type === 'ConditionalExpression') && up.test === inner)
      return up;
    if (up.type === 'SwitchStatement' && up.discriminant === inner) return up;
    if (
      up.type === 'LogicalExpression' &&
      up.left === inner &&
      up.parent.type === 'ExpressionStatement'
    )
      return up;
    if (!/^(?:Logical|Binary|Unary|Member|Call|Chain|Await|TS)/u.test(up.type)) return undefined;
  }
  return undefined;
}

function branchesOf(guard: Guard): readonly Node[] {
  switch (guard.type) {
    case 'SwitchStatement':
      return guard.cases;
    case 'LogicalExpression':
      return [guard.right];
    default:
      return [guard.consequent, ...(guard.alternate === null ? [] : [guard.alternate])];
  }
}

function endsIn(branch: Node, checkout: Checkout, file: SourceFile): boolean {
  return someIn(
    file,
    branch,
    (node) =>
      node.type === 'CallExpression' &&
      (sendsEnd(node, checkout) || speaksOfEnd(node, checkout, file)),
  );
}

function sendsEnd(call: CallNode, { session }: Checkout): boolean {
  return session.sent.get(call)?.kinds.some(isEndOfTransaction) ?? false;
}
