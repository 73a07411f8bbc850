import type { TSESTree } from '@typescript-eslint/types';
import { type FunctionNode, type Node, isFunction, type CallNode } from '../../syntax/node.ts';
import { methods } from '../../model/drivers.ts';
import type { Acquisition } from '../../typestate/acquisition.ts';
import type { Checkout } from '../../typestate/checkout.ts';
import { callbackOf, namedCallbackOf } from '../../typestate/call-semantics.ts';
import {
  memberName,
  parentOf,
  unwrap,
  variableOf,
  writesTo,
  type SourceFile,
  type Variable,
  isMember,
  referencesOf,
} from '../../syntax/source-file.ts';
import type { Here } from '../../values/resolver.ts';

interface Analysis extends Here {
  readonly checkouts: readonly Checkout[];
}

/** True when an expression holds, or on some path may hold, a client of a pool. */
export function isPooledClient(node: Node, analysis: Analysis): boolean {
  return (
    analysis.resolver.abstractValueOf(node, analysis.file)?.kind === 'client' ||
    analysis.checkouts.some((checkout) => isHeldIn(node, checkout)) ||
    mayHoldCheckout(node, analysis)
  );
}

/** True when this very expression is followed as the client of a checkout. */
export function isHeldIn(node: Node, checkout: Checkout): boolean {
  return checkout.exploration.states.some(
    (state) =>
      state.point.node === node &&
      state.fact.status === 'held' &&
      checkout.holdsClient(node, state),
  );
}

/** A variable that somewhere in the file is set to a client just checked out, also where paths are not followed that far. */
function mayHoldCheckout(node: Node, { file, checkouts }: Analysis): boolean {
  const plain = unwrap(node);
  const variable = variableOf(file, plain);
  if (variable === undefined) return false;
  const values = valuesOf(variable);
  return checkouts.some(
    ({ acquisition }) =>
      isLentAs(variable, acquisition, file) ||
      values.some((value) => isPromiseOf(value, acquisition.call)),
  );
}

/** `client` of `pool.connect((error, client, done) => …)`, whatever becomes of it there. */
function isLentAs(variable: Variable, { call, style }: Acquisition, file: SourceFile): boolean {
  if (style !== 'callback' || call.type !== 'CallExpression') return false;
  const client = (callbackOf(call) ?? namedCallbackOf(call, file))?.params[1];
  return (
    client !== undefined &&
    variable.identifiers.some((name) => (name as unknown as Node) === client)
  );
}

function valuesOf(variable: Variable): readonly Node[] {
  const declared = variable.defs.flatMap(({ node }) =>
    (node as Node).type === 'VariableDeclarator'
      ? ((node as TSESTree.VariableDeclarator).init ?? [])
      : [],
  );
  return [...declared, ...writesTo(variable)];
}

function isPromiseOf(value: Node, call: Node): boolean {
  const plain = unwrap(value);
  if (plain === call) return true;
  if (plain.type === 'AwaitExpression') return isPromiseOf(plain.argument, call);
  if (plain.type === 'LogicalExpression')
    return isPromiseOf(plain.left, call) || isPromiseOf(plain.right, call);
  return (
    plain.type === 'ConditionalExpression' &&
    (isPromiseOf(plain.consequent, call) || isPromiseOf(plain.alternate, call))
  );
}

/** `client` of `(client: PoolClient) => …`, but not of a listener by which a pool sets its connections up. */
export function isBorrowedParameter(node: Node, file: SourceFile): boolean {
  const plain = unwrap(node);
  const definition = plain.type === 'Identifier' ? variableOf(file, plain)?.defs[0] : undefined;
  if (definition?.type !== 'Parameter') return false;
  const fn = definition.node as Node;
  return isFunction(fn) && ![fn, ...referencesTo(fn, file)].some(isSetUp);
}

/** Where a function is referenced by its name. */
function referencesTo(fn: FunctionNode, file: SourceFile): readonly Node[] {
  const up = parentOf(fn);
  const name = fn.id ?? (up?.type === 'VariableDeclarator' && up.init === fn ? up.id : undefined);
  return referencesOf(variableOf(file, name));
}

/** `pool.on('connect', (client) => …)`, `new Pool({ onConnect: setUp })` */
function isSetUp(fn: Node): boolean {
  const up = parentOf(fn);
  if (up?.type === 'CallExpression')
    return (
      up.callee.type === 'MemberExpression' &&
      /^(?:on|once|addListener)$/u.test(memberName(up.callee) ?? '')
    );
  return (
    up?.type === 'Property' &&
    up.key.type === 'Identifier' &&
    /^(?:onConnect|verify|afterCreate)$/u.test(up.key.name)
  );
}

/** The client that a call speaks to. */
export function clientOf(call: CallNode): Node | undefined {
  return isMember(call.callee, methods.query) ? call.callee.object : undefined;
}
