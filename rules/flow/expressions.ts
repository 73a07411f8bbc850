import type { TSESTree } from '@typescript-eslint/types';
import type { Builder, Frame } from './builder.ts';
import type { FunctionNode, Node, Port } from './graph.ts';
import { buildChain, isChain, isWaitedFor, type Chain } from './promises.ts';
import { buildReturn, buildStatements } from './statements.ts';

/** Appends the evaluation of an expression, operands first. */
export function buildExpression(b: Builder, node: Node): void {
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
    default:
      return buildPlain(b, node);
  }
}

function buildPlain(b: Builder, node: Node): void {
  if (node.type === 'MemberExpression') buildReceiver(b, node);
  else if (node.type === 'ClassDeclaration' || node.type === 'ClassExpression') buildClass(b, node);
  else for (const child of b.meaning.childrenOf(node)) buildExpression(b, child);
  b.appendThrowing('eval', node, b.meaning.throws(node));
}

/** What runs when a class is defined: its superclass and its static blocks. */
function buildClass(b: Builder, node: TSESTree.ClassDeclaration | TSESTree.ClassExpression): void {
  if (node.superClass !== null) buildExpression(b, node.superClass);
  for (const member of node.body.body) {
    if (member.type === 'StaticBlock') buildStatements(b, member.body);
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

function buildLeftOperand(b: Builder, node: TSESTree.LogicalExpression): { goesOn: Port[]; stops: Port[] } {
  if (node.operator === '??') {
    buildExpression(b, node.left);
    return { goesOn: b.portsWhen('nullish'), stops: b.portsWhen('present') };
  }
  const { whenTrue, whenFalse } = buildCondition(b, node.left);
  return node.operator === '&&' ? { goesOn: whenTrue, stops: whenFalse } : { goesOn: whenFalse, stops: whenTrue };
}

/** Evaluates a test and gives the loose ends of both outcomes; a constant test has only one. */
export function buildCondition(b: Builder, test: Node): { whenTrue: Port[]; whenFalse: Port[] } {
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
  if (test.type === 'Literal') return test.value ? { whenTrue: b.ports, whenFalse: [] } : { whenTrue: [], whenFalse: b.ports };
  return { whenTrue: b.portsWhen('true'), whenFalse: b.portsWhen('false') };
}

function buildAssignment(b: Builder, node: TSESTree.AssignmentExpression): void {
  const { left } = node;
  if (left.type === 'MemberExpression') buildReceiver(b, left);
  if (node.operator === '??=' || node.operator === '||=' || node.operator === '&&=') {
    const test = b.append('eval', left);
    const outcome = ({ '??=': ['nullish', 'present'], '||=': ['false', 'true'], '&&=': ['true', 'false'] } as const)[node.operator];
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
  b.append('bind', source, pattern);
}

function buildAwait(b: Builder, node: TSESTree.AwaitExpression): void {
  buildExpression(b, node.argument);
  // What a chain written in place rejects with has left it already, from the place that threw.
  b.appendThrowing('eval', node, isChain(node.argument) ? 'no' : b.meaning.throws(node));
}

function buildCall(b: Builder, node: TSESTree.CallExpression): void {
  if (isChain(node)) return buildWaiting(b, node);
  const inlinedCallee = b.meaning.functionOf(node.callee);
  if (inlinedCallee !== null && mayInline(b, inlinedCallee)) return buildInlinedCall(b, node, inlinedCallee);
  const callback = b.meaning.callbackOf(node);
  if (node.callee.type === 'MemberExpression') buildReceiver(b, node.callee);
  else buildExpression(b, node.callee);
  if (node.optional) shortCircuit(b);
  for (const argument of node.arguments) {
    if (argument !== callback) buildExpression(b, argument);
  }
  b.appendThrowing('eval', node, b.meaning.throws(node));
  if (b.meaning.neverReturns(node)) b.ports = [];
  if (callback !== null) buildCallback(b, node, callback);
}

/** Rejections of a chain that nobody waits for reach no handler of the surrounding code. */
function buildWaiting(b: Builder, node: Chain): void {
  if (isWaitedFor(node)) buildChain(b, node);
  else b.within({ kind: 'detached', node }, () => buildChain(b, node));
}

function buildCallback(b: Builder, call: TSESTree.CallExpression, callback: FunctionNode): void {
  b.inlined.add(callback);
  b.append('callback', call, callback);
  b.within({ kind: 'detached', node: callback }, () => buildBody(b, callback, null, false));
}

function buildInlinedCall(b: Builder, call: TSESTree.CallExpression, callee: FunctionNode): void {
  b.inlined.add(call);
  for (const argument of call.arguments) buildExpression(b, argument);
  callee.params.forEach((param, index) => buildPatternBinding(b, param, call.arguments[index] ?? null));
  buildBody(b, callee, call, false);
  b.append('eval', call);
}

const maximalDepth = 4;

function mayInline(b: Builder, callee: FunctionNode): boolean {
  const active = b.frames.filter((frame): frame is Frame & { kind: 'function' } => frame.kind === 'function');
  return callee !== b.root && active.length < maximalDepth && active.every((frame) => frame.node !== callee);
}

/** A function's body in the middle of the graph: its `return` goes on behind it, its result is the value of `resultOf`. */
export function buildBody(b: Builder, fn: FunctionNode, resultOf: Node | null, settles: boolean): void {
  const frame: Frame = { kind: 'function', node: fn, returns: [], resultOf, settles };
  b.within(frame, () => {
    if (fn.body.type === 'BlockStatement') {
      buildStatements(b, fn.body.body);
      if (resultOf !== null && b.ports.length > 0) b.append('bind', null, resultOf);
    } else buildReturn(b, fn.body, fn.body);
  });
  b.ports = [...b.ports, ...frame.returns];
}
