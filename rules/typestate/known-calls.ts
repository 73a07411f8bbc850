import { isThrown, type Edge } from '../flow/graph.ts';
import { type Node, type CallNode, type FunctionNode, isFunction } from '../syntax/node.ts';
import { isChain } from '../syntax/chains.ts';
import type { CheckoutContext } from './checkout.ts';
import { heldBy, withAccessPath, type Fact, type Value } from './facts.ts';
import { argumentOf, type Argument } from './parameters.ts';
import { forgetFailed, recordStatement } from './session.ts';
import { parentOf, unwrap, variableOf, type SourceFile } from '../syntax/source-file.ts';
import { applyOutcome, type Outcome, type KnownFunction } from './outcome.ts';
import { methods } from '../model/drivers.ts';
import { useOf, type Use } from '../syntax/uses.ts';

/** True when the called function was followed into, so that its arguments are neither lent nor given away. */
export function isKnownCall(fact: Fact, call: CallNode, context: CheckoutContext): boolean {
  return outcomesOf(fact, call, context) !== undefined;
}

/** Whether a function that is given the client releases it on each way on which it returns. */
export function surelyReleases(fact: Fact, call: CallNode, context: CheckoutContext): boolean {
  const returning = (outcomesOf({ ...fact, status: 'held' }, call, context) ?? []).filter(
    ({ leaves }) => leaves === 'return',
  );
  return returning.length > 0 && returning.every(({ status }) => status === 'released');
}

/** Whether a function that is given the client has neither released it nor passed it to somebody when it ends. */
export function onlyBorrows(fact: Fact, call: CallNode, context: CheckoutContext): boolean {
  const outcomes = outcomesOf(fact, call, context);
  return (
    outcomes !== undefined &&
    outcomes.length > 0 &&
    outcomes.every(({ status, wasLent }) => status === fact.status && !wasLent)
  );
}

/** The facts after a call of a function that was followed into; undefined for any other call. */
export function callKnown(
  fact: Fact,
  call: CallNode,
  edge: Edge,
  context: CheckoutContext,
): readonly Fact[] | undefined {
  const outcomes = outcomesOf(fact, call, context);
  if (outcomes === undefined) return undefined;
  const isPromise = context.functionAt(call.callee)?.node.async === true || isSettledLater(call);
  if (isThrown(edge.when))
    return isPromise
      ? []
      : outcomes
          .filter(({ leaves }) => leaves === 'throw')
          .map((outcome) => after(fact, outcome, call, undefined, context));
  const coming = isPromise ? outcomes : outcomes.filter(({ leaves }) => leaves === 'return');
  return coming.map((outcome) =>
    after(fact, outcome, call, isPromise ? promised(outcome) : outcome.value, context),
  );
}

/** The facts after a function was called that a promise calls with what it gives, by its name: `pool.connect().then(prepare)`; undefined where it is not known. */
export function callHandler(
  fact: Fact,
  handler: Node,
  given: Value,
  edge: Edge,
  context: CheckoutContext,
): readonly Fact[] | undefined {
  const callee = context.functionAt(handler);
  const chain = parentOf(handler) ?? handler;
  return (
    callee &&
    context.summaries
      .outcomesOf(callee, [{ value: given }], fact, context.acquisition.driver)
      ?.filter(({ leaves }) => (leaves === 'throw') === isThrown(edge.when))
      .map((outcome) =>
        afterOutcome(
          noted(fact, outcome, handler, context),
          outcome,
          chain,
          outcome.value,
          context,
        ),
      )
  );
}

/** How a promise settles is known when it is made, and remembered until somebody waits for it. */
function promised({ leaves, value }: Outcome): Value {
  return leaves === 'throw' ? 'rejected' : value === 'client' ? 'promise' : (value ?? 'fulfilled');
}

function after(
  fact: Fact,
  outcome: Outcome,
  call: CallNode,
  result: Value | undefined,
  context: CheckoutContext,
): Fact {
  const before = withStatements(noted(fact, outcome, call, context), outcome, call, context);
  return afterOutcome(before, outcome, call, result, context);
}

function noted(fact: Fact, outcome: Outcome, site: Node, { log }: CheckoutContext): Fact {
  if (outcome.status === 'released') log.onRelease(fact, site, outcome.mayKeepConnection);
  if (outcome.wasLent) log.onLend(site);
  return fact;
}

/** What holds after a call that ended this way, and what its result is. */
function afterOutcome(
  fact: Fact,
  outcome: Outcome,
  call: Node,
  result: Value | undefined,
  { accessPaths }: CheckoutContext,
): Fact {
  const applied = applyOutcome(fact, outcome, accessPaths);
  const accessPath = accessPaths.accessPathOf(call);
  return accessPath === undefined ? applied : withAccessPath(applied, accessPath, result);
}

/** What the function sent over the client and left there. How its own transactions ended is known already. */
function withStatements(
  fact: Fact,
  { status, leaves }: Outcome,
  call: CallNode,
  context: CheckoutContext,
): Fact {
  if (status === 'released') return fact;
  const recorded = recordStatement(fact, call, context);
  return leaves === 'throw' ? forgetFailed(recorded, call, context) : recorded;
}

function outcomesOf(
  fact: Fact,
  call: CallNode,
  context: CheckoutContext,
): readonly Outcome[] | undefined {
  if (fact.status !== 'held' && fact.status !== 'unconnected') return undefined;
  const given = call.arguments.map((argument) => givenAs(argument, fact, context));
  const isGiven = given.some(
    ({ value, properties }) =>
      value === 'client' ||
      value === 'release' ||
      value === 'collection' ||
      (properties !== undefined && [...properties.values()].includes('client')),
  );
  // Where the callee stands is asked last, because the answer may lie in a file that is not parsed yet.
  const callee = isGiven ? context.functionAt(call.callee) : undefined;
  // What is called at once in place of its maker only borrows, and is unknown like any other call that does.
  return callee === undefined || isCalledAtOnce(call, callee)
    ? undefined
    : context.summaries.outcomesOf(callee, given, fact, context.acquisition.driver);
}

/** What has the client among its members comes with those. */
function givenAs(
  argument: Node,
  fact: Fact,
  { acquisition: { shape }, accessPaths }: CheckoutContext,
): Argument {
  const plain = argumentOf(argument, fact, accessPaths);
  const object = plain.value === 'container' ? accessPaths.accessPathOf(argument) : undefined;
  if (object === undefined || shape === undefined) return plain;
  const members = [...shape.keys()].map((name): [string, Value | undefined] => [
    name,
    heldBy(fact, accessPaths.intern({ kind: 'member', object, name })),
  ]);
  return { value: plain.value, properties: new Map(members) };
}

const waiters: ReadonlySet<string> = new Set(['AwaitExpression', 'ReturnStatement']);

/** `await helper(client)`, `helper(client).then(…)` */
function isSettledLater(call: CallNode): boolean {
  let node: Node = call;
  for (let up = parentOf(node); up !== undefined; up = parentOf(node)) {
    if (waiters.has(up.type)) return true;
    if (up.type === 'MemberExpression')
      return up.object === node && up.parent.type === 'CallExpression' && isChain(up.parent);
    if (
      up.type !== 'TSNonNullExpression' &&
      up.type !== 'TSAsExpression' &&
      up.type !== 'ChainExpression'
    )
      return false;
    node = up;
  }
  return false;
}

/** `find(client)(id)`, where `find = (client) => async (id) => client.query(…)`: the function that captured the client is called at once, and only borrows it. */
function isCalledAtOnce(call: CallNode, callee: KnownFunction): boolean {
  if (call.parent.type !== 'CallExpression' || call.parent.callee !== call) return false;
  const inner = functionGiven(callee.node);
  return (
    inner !== undefined && callee.node.params.every((param) => isOnlyBorrowed(param, callee.file))
  );
}

/** The function that is all a function gives back. */
function functionGiven({ body }: FunctionNode): FunctionNode | undefined {
  const [statement] = body.type === 'BlockStatement' ? body.body : [];
  const value =
    body.type !== 'BlockStatement'
      ? body
      : statement?.type === 'ReturnStatement'
        ? statement.argument
        : null;
  const plain = value ? unwrap(value) : undefined;
  return plain !== undefined && isFunction(plain) ? plain : undefined;
}

function isOnlyBorrowed(param: Node, file: SourceFile): boolean {
  const references = param.type === 'Identifier' ? variableOf(file, param)?.references : undefined;
  return (
    references?.every(({ identifier }) => borrows(useOf(identifier as unknown as Node))) ?? false
  );
}

function borrows(use: Use): boolean {
  return use.kind === 'receiver'
    ? use.member !== methods.release && use.member !== methods.end && use.call !== null
    : use.kind === 'neutral';
}
