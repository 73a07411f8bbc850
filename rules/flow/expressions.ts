import type { TSESTree } from '@typescript-eslint/types';
import type { Builder, Frame, Immediate } from './builder.ts';
import { isChain, isWaitedFor, type Chain } from '../syntax/chains.ts';
import type { FunctionNode, Node, CallNode } from '../syntax/node.ts';
import type { Port } from './graph.ts';
import { buildWithCatch } from './guarded.ts';
import { paramsOf } from '../syntax/parameters.ts';
import { unwrap } from '../syntax/source-file.ts';

/** Appends the evaluation of an expression, operands first. */
export function buildExpression(b: Builder, node: Node): void {
  b.nested(buildByType, node);
}

function buildByType(b: Builder, node: Node): void {
  switch (node.type) {
    case 'TSAsExpression':
    case 'TSNonNullExpression':
    case 'TSSatisfiesExpression':
    case 'TSTypeAssertion':
    case 'TSInstantiationExpression':
      return buildExpression(b, node.expression);
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      b.append('eval', node);
      return;
    case 'LogicalExpression':
    case 'ConditionalExpression':
      return buildBranching(b, node);
    case 'AssignmentExpression':
      return buildAssignment(b, node);
    case 'ChainExpression':
      return buildOptionalChain(b, node);
    case 'CallExpression':
      return buildCall(b, node);
    case 'AwaitExpression':
      return buildAwait(b, node);
    case 'NewExpression':
      return buildNew(b, node);
    default:
      return buildPlain(b, node);
  }
}

function buildPlain(b: Builder, node: Node): void {
  if (node.type === 'MemberExpression') buildReceiver(b, node);
  else if (node.type === 'ClassDeclaration' || node.type === 'ClassExpression') buildClass(b, node);
  else for (const child of b.semantics.childrenOf(node)) buildExpression(b, child);
  const point = b.appendThrowing('eval', node, b.semantics.throws(node));
  if (node.type === 'YieldExpression' && isInAsyncFunction(node))
    b.leave([{ from: point, when: 'stopped' }], { kind: 'return' });
  if (node.type === 'UpdateExpression') b.append('bind', node, node.argument);
}

/** The consumer of an async generator may stop at any `yield`; a plain generator with clients in it is run to its end, as a coroutine. */
function isInAsyncFunction(node: Node): boolean {
  let up: Node | undefined = node;
  while (up !== undefined && !/Function/u.test(up.type)) up = up.parent;
  return up !== undefined && 'async' in up && up.async;
}

/** What runs when a class is defined: its superclass, computed keys, static blocks and static fields. */
function buildClass(b: Builder, node: TSESTree.ClassDeclaration | TSESTree.ClassExpression): void {
  if (node.superClass !== null) buildExpression(b, node.superClass);
  for (const member of node.body.body) {
    if ('computed' in member && member.computed) buildExpression(b, member.key);
  }
  for (const member of node.body.body) {
    if (member.type === 'StaticBlock') b.inside.statements(b, member.body);
    else if (member.type === 'PropertyDefinition' && member.static && member.value !== null)
      buildExpression(b, member.value);
  }
}

/** The object, and the key when it is computed; leaves the optional chain where `?.` finds nothing. */
function buildReceiver(b: Builder, node: TSESTree.MemberExpression): void {
  buildExpression(b, node.object);
  if (node.optional) shortCircuit(b);
  if (node.computed) buildExpression(b, node.property);
}

function shortCircuit(b: Builder): void {
  b.shortCircuits.at(-1)?.push(...b.portsWhen('nullish'));
  b.ports = b.portsWhen('present');
}

function buildOptionalChain(b: Builder, node: TSESTree.ChainExpression): void {
  const skipped: Port[] = [];
  b.shortCircuits.push(skipped);
  buildExpression(b, node.expression);
  b.shortCircuits.pop();
  b.ports = [...b.ports, ...skipped];
}

type Branching = TSESTree.LogicalExpression | TSESTree.ConditionalExpression;

function buildBranching(b: Builder, node: Branching): void {
  if (node.type === 'ConditionalExpression') {
    const { whenTrue, whenFalse } = buildCondition(b, node.test);
    b.ports = whenTrue;
    buildExpression(b, node.consequent);
    const afterConsequent = b.ports;
    b.ports = whenFalse;
    buildExpression(b, node.alternate);
    b.ports = [...afterConsequent, ...b.ports];
  } else {
    const { goesOn, stops } = buildLeftOperand(b, node);
    b.ports = goesOn;
    buildExpression(b, node.right);
    b.ports = [...stops, ...b.ports];
  }
  b.append('eval', node);
}

function buildLeftOperand(
  b: Builder,
  node: TSESTree.LogicalExpression,
): { goesOn: Port[]; stops: Port[] } {
  if (node.operator === '??') {
    buildExpression(b, node.left);
    return { goesOn: b.portsWhen('nullish'), stops: b.portsWhen('present') };
  }
  const { whenTrue, whenFalse } = buildCondition(b, node.left);
  return node.operator === '&&'
    ? { goesOn: whenTrue, stops: whenFalse }
    : { goesOn: whenFalse, stops: whenTrue };
}

/** Evaluates a test and gives the loose ends of both outcomes; a constant test has only one. */
export function buildCondition(b: Builder, test: Node): Outcomes {
  return b.nested(buildTest, test);
}

interface Outcomes {
  readonly whenTrue: Port[];
  readonly whenFalse: Port[];
}

function buildTest(b: Builder, test: Node): Outcomes {
  if (test.type === 'UnaryExpression' && test.operator === '!') {
    const { whenTrue, whenFalse } = buildCondition(b, test.argument);
    return { whenTrue: whenFalse, whenFalse: whenTrue };
  }
  if (test.type === 'LogicalExpression' && test.operator !== '??') {
    const left = buildCondition(b, test.left);
    b.ports = test.operator === '&&' ? left.whenTrue : left.whenFalse;
    const right = buildCondition(b, test.right);
    return test.operator === '&&'
      ? { whenTrue: right.whenTrue, whenFalse: [...left.whenFalse, ...right.whenFalse] }
      : { whenTrue: [...left.whenTrue, ...right.whenTrue], whenFalse: right.whenFalse };
  }
  buildExpression(b, test);
  if (b.ports.length !== 1 || b.ports[0]?.from.node !== test) b.append('eval', test);
  if (test.type === 'Literal')
    return test.value ? { whenTrue: b.ports, whenFalse: [] } : { whenTrue: [], whenFalse: b.ports };
  return { whenTrue: b.portsWhen('true'), whenFalse: b.portsWhen('false') };
}

function buildAssignment(b: Builder, node: TSESTree.AssignmentExpression): void {
  const { left } = node;
  if (left.type === 'MemberExpression') buildReceiver(b, left);
  if (node.operator === '??=' || node.operator === '||=' || node.operator === '&&=') {
    const test = b.append('eval', left);
    const outcome = (
      { '??=': ['nullish', 'present'], '||=': ['false', 'true'], '&&=': ['true', 'false'] } as const
    )[node.operator];
    b.ports = [{ from: test, when: outcome[0] }];
    buildExpression(b, node.right);
    buildPatternBinding(b, left, node.right);
    b.ports = [...b.ports, { from: test, when: outcome[1] }];
  } else {
    buildExpression(b, node.right);
    buildPatternBinding(b, left, node.operator === '=' ? node.right : node);
  }
  b.append('eval', node);
}

/** `pattern` gets the value of `source`; null stands for `undefined`. */
export function buildPatternBinding(b: Builder, pattern: Node, source: Node | null): void {
  if (pattern.type !== 'AssignmentPattern') {
    b.append('bind', source, pattern);
    return buildDefaults(b, pattern);
  }
  if (source === null) buildExpression(b, pattern.right);
  buildPatternBinding(b, pattern.left, source ?? pattern.right);
}

/** The defaults in a pattern run where what they stand for is undefined. */
function buildDefaults(b: Builder, pattern: Node): void {
  for (const part of partsOf(pattern)) {
    const value = part.type === 'Property' ? part.value : part;
    if (value.type === 'AssignmentPattern') {
      b.append('eval', part);
      const given = b.portsWhen('present');
      b.ports = b.portsWhen('nullish');
      buildPatternBinding(b, value, null);
      b.ports = [...b.ports, ...given];
    } else buildDefaults(b, value);
  }
}

function partsOf(pattern: Node): readonly Node[] {
  if (pattern.type === 'ObjectPattern') return pattern.properties;
  return pattern.type === 'ArrayPattern'
    ? pattern.elements.filter((element) => element !== null)
    : [];
}

function buildAwait(b: Builder, node: TSESTree.AwaitExpression): void {
  buildExpression(b, node.argument);
  // What a chain written in place rejects with has left it already, from the place that threw.
  b.appendThrowing('eval', node, isChain(node.argument) ? 'no' : b.semantics.throws(node));
}

function buildCall(b: Builder, node: CallNode): void {
  if (isChain(node)) return buildWaiting(b, node);
  const called = b.semantics.functionOf(node.callee);
  const inPlace = calledInPlace(b, node, called);
  return inPlace === null ? buildCallFrom(b, node, called) : buildInlinedCall(b, node, inPlace);
}

/** The function that a call calls, or has called, before it returns, where its body belongs into the graph. */
function calledInPlace(b: Builder, node: CallNode, called: FunctionNode | null): Immediate | null {
  const callee = inlinable(b, called);
  if (callee !== null) return { fn: callee, given: node.arguments };
  const immediate = b.semantics.immediateOf(node);
  return immediate !== null && inlinable(b, immediate.fn) !== null ? immediate : null;
}

function buildCallFrom(b: Builder, node: CallNode, called: FunctionNode | null): void {
  const callback = inlinable(b, b.semantics.callbackOf(node));
  buildCallee(b, node.callee);
  if (node.optional) shortCircuit(b);
  for (const argument of argumentsBeside(callback, node)) buildExpression(b, argument);
  if (called !== null) b.append('cut', node, called);
  const onlyThrows = b.semantics.alwaysThrows(node);
  b.appendThrowing('eval', node, onlyThrows ? 'yes' : b.semantics.throws(node));
  if (onlyThrows || b.semantics.neverReturns(node)) b.ports = [];
  if (callback !== null && !b.postponed.has(node)) buildCallback(b, node, callback);
}

/** A callback that is not written in place is the last argument. */
function argumentsBeside(
  callback: FunctionNode | null,
  { arguments: given }: CallNode,
): readonly Node[] {
  if (callback === null) return given;
  const others = given.filter((each) => unwrap(each) !== callback);
  return others.length < given.length ? others : given.slice(0, -1);
}

function buildCallee(b: Builder, callee: Node): void {
  if (callee.type === 'MemberExpression') buildReceiver(b, callee);
  else buildExpression(b, callee);
}

/** The function given to `new Promise` runs at once, and what it throws rejects the promise. */
function buildNew(b: Builder, node: TSESTree.NewExpression): void {
  const executor = inlinable(b, b.semantics.executorOf(node));
  if (executor === null) return buildPlain(b, node);
  b.inlined.add(executor);
  // Nobody hears of what an async one rejects with.
  const run = (): void => buildBody(b, executor, null, false);
  if (executor.async) b.detached(executor, run);
  else buildWithCatch(b, run, () => b.append('reject', node));
  b.append('eval', node);
}

/** Rejections of a chain that nobody waits for reach no handler of the surrounding code. */
function buildWaiting(b: Builder, node: Chain): void {
  if (isWaitedFor(node)) b.inside.chain(b, node);
  else b.detached(node, () => b.inside.chain(b, node));
  b.inlined.add(node);
  b.append('eval', node);
}

/** Runs the callback of a call, which nobody waits for. */
export function buildCallback(b: Builder, call: CallNode, callback: FunctionNode): void {
  b.inlined.add(callback);
  b.append('callback', call, callback);
  b.detached(callback, () => buildBody(b, callback, null, false));
}

function buildInlinedCall(b: Builder, call: CallNode, { fn, given }: Immediate): void {
  b.inlined.add(call);
  for (const argument of call.arguments)
    if (argument === fn) b.inlined.add(fn);
    else buildExpression(b, argument);
  paramsOf(fn).forEach((param, index) => buildPatternBinding(b, param, given[index] ?? null));
  const run = (): void => buildBody(b, fn, call, false);
  // What an async function throws that nobody waits for reaches no handler here.
  if (fn.async && !isWaitedFor(call)) b.detached(fn, run);
  else run();
  b.append('eval', call);
}

const maximalDepth = 4;
const maximalNesting = 16;

/** A function that stands in itself, or too deep, stays out of the graph. */
export function inlinable(b: Builder, fn: FunctionNode | null): FunctionNode | null {
  const active = b.frames.filter(
    (frame): frame is Frame & { kind: 'function' } => frame.kind === 'function',
  );
  const called = active.filter(({ resultOf, settles }) => resultOf !== null && !settles);
  return fn !== b.root &&
    called.length < maximalDepth &&
    active.length < maximalNesting &&
    active.every((frame) => frame.node !== fn)
    ? fn
    : null;
}

/** A function's body in the middle of the graph, which `call` runs: its `return` goes on behind it, its result is the value of `resultOf`. */
export function buildBody(
  b: Builder,
  fn: FunctionNode,
  resultOf: Node | null,
  settles: boolean,
  call = resultOf,
): void {
  b.functions.add(fn);
  if (settles) b.handlers.add(fn);
  const bodies = [{ fn, call }, ...b.bodies];
  const frame: Frame = { kind: 'function', node: fn, returns: [], resultOf, settles, bodies };
  b.within(frame, () => {
    if (fn.body.type === 'BlockStatement') {
      b.inside.statements(b, fn.body.body);
      if (resultOf !== null && b.ports.length > 0) b.append('bind', null, resultOf);
    } else b.inside.returned(b, fn.body, fn.body);
  });
  b.ports = [...b.ports, ...frame.returns];
}
