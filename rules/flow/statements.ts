import type { TSESTree } from '@typescript-eslint/types';
import type { Builder, Frame } from './builder.ts';
import { isChain } from '../syntax/chains.ts';
import {
  buildCallback,
  buildCondition,
  buildExpression,
  buildPatternBinding,
  inlinable,
} from './expressions.ts';
import type { FunctionNode, Node, CallNode } from '../syntax/node.ts';
import type { Port } from './graph.ts';
import { buildWithCatch, buildWithFinally } from './guarded.ts';
import { contains } from '../syntax/source-file.ts';

type Loop =
  | TSESTree.WhileStatement
  | TSESTree.DoWhileStatement
  | TSESTree.ForStatement
  | TSESTree.ForInStatement
  | TSESTree.ForOfStatement;

export function buildStatements(b: Builder, statements: readonly Node[]): void {
  const late = b.semantics.runBehind(statements).filter((call) => !b.postponed.has(call));
  for (const [index, statement] of statements.entries()) {
    if (late.some((call) => contains(statement, call)))
      return buildBefore(b, late, statements.slice(index));
    buildStatement(b, statement);
    if (isUsing(statement)) return buildUsing(b, statement, statements.slice(index + 1));
  }
}

function isUsing(node: Node): node is TSESTree.VariableDeclaration {
  return (
    node.type === 'VariableDeclaration' && (node.kind === 'using' || node.kind === 'await using')
  );
}

/** However the rest of the block is left, what is declared is disposed of, the last one first. */
function buildUsing(
  b: Builder,
  { declarations }: TSESTree.VariableDeclaration,
  following: readonly Node[],
): void {
  if (b.ports.length === 0) return;
  buildWithFinally(
    b,
    () => buildStatements(b, following),
    () => declarations.toReversed().forEach(({ id }) => b.append('dispose', id)),
  );
}

/** Callbacks run when the code around their calls is through, however that ends, if it came to those calls. */
function buildBefore(b: Builder, late: readonly CallNode[], statements: readonly Node[]): void {
  if (b.ports.length === 0) return;
  late.forEach((call) => b.postponed.add(call));
  buildWithFinally(
    b,
    () => buildStatements(b, statements),
    () => late.forEach((call) => buildPostponed(b, call)),
  );
  late.forEach((call) => b.postponed.delete(call));
}

/** The callback of a call, where the way here leads over that call. */
function buildPostponed(b: Builder, call: CallNode): void {
  const callback = inlinable(b, b.semantics.callbackOf(call));
  if (callback === null || b.ports.length === 0) return;
  b.append('due', call);
  const notCalled = b.portsWhen('false');
  b.ports = b.portsWhen('true');
  buildCallback(b, call, callback);
  b.ports = [...b.ports, ...notCalled];
}

/** Appends one statement; `labels` are the labels that stand before it. */
function buildStatement(b: Builder, node: Node, labels: readonly string[] = []): void {
  if (b.ports.length > 0) b.nested((_, each) => buildByType(b, each, labels), node);
}

function buildByType(b: Builder, node: Node, labels: readonly string[]): void {
  switch (node.type) {
    case 'BlockStatement':
    case 'StaticBlock':
      return buildStatements(b, node.body);
    case 'ExpressionStatement':
      return buildExpression(b, node.expression);
    case 'VariableDeclaration':
      return buildDeclarations(b, node);
    case 'IfStatement':
      return buildIf(b, node);
    case 'WhileStatement':
    case 'DoWhileStatement':
    case 'ForStatement':
    case 'ForInStatement':
    case 'ForOfStatement':
      return buildLoop(b, node, labels);
    case 'LabeledStatement':
      return buildLabeled(b, node, labels);
    case 'ExportNamedDeclaration':
    case 'ExportDefaultDeclaration':
      return node.declaration === null ? undefined : buildStatement(b, node.declaration);
    default:
      return buildLeaving(b, node, labels);
  }
}

/** Statements that send control elsewhere. What is none of them is an expression, or a declaration without effect. */
function buildLeaving(b: Builder, node: Node, labels: readonly string[]): void {
  switch (node.type) {
    case 'ReturnStatement':
      return buildReturn(b, node, node.argument);
    case 'ThrowStatement':
      buildExpression(b, node.argument);
      b.append('eval', node);
      return b.jump({ kind: 'throw' });
    case 'BreakStatement':
    case 'ContinueStatement':
      b.append('eval', node);
      return b.jump({
        kind: node.type === 'BreakStatement' ? 'break' : 'continue',
        label: node.label?.name ?? null,
      });
    case 'TryStatement':
      return buildTry(b, node);
    case 'SwitchStatement':
      return buildSwitch(b, node, labels);
    default:
      if (!isInertDeclaration(node)) buildExpression(b, node);
  }
}

function isInertDeclaration(node: Node): boolean {
  return (
    node.type.startsWith('TS') ||
    /^(?:Import|Export|Empty|Debugger|FunctionDeclaration)/u.test(node.type)
  );
}

function buildDeclarations(b: Builder, node: TSESTree.VariableDeclaration): void {
  for (const declarator of node.declarations) {
    if (declarator.init !== null) buildExpression(b, declarator.init);
    buildPatternBinding(b, declarator.id, declarator.init);
  }
}

/** `value` leaves the function through `node`, a `return` or the body of an arrow function; inside an inlined one it becomes the result of the call. */
export function buildReturn(b: Builder, node: Node, value: Node | null): void {
  if (value !== null && isChain(value)) buildRejecting(b, value);
  else if (value !== null) buildExpression(b, value);
  const frame = b.frames.findLast(
    (each): each is Frame & { kind: 'function' } => each.kind === 'function',
  );
  if (
    value !== null &&
    (frame?.settles === true ? mayBePromise(b, value, frame.node) : isRejectedHere(b, value))
  )
    b.appendThrowing('settle', value, 'yes');
  if (frame !== undefined && frame.resultOf !== null) b.append('bind', value, frame.resultOf);
  if (node.type === 'ReturnStatement') b.append('eval', node);
  b.jump({ kind: 'return' });
}

/** A chain that is returned: nothing in this function handles what it rejects with. */
function buildRejecting(b: Builder, chain: Node): void {
  const rejections: Frame = { kind: 'catch', ports: [] };
  b.within(rejections, () => buildExpression(b, chain));
  b.leave(rejections.ports, { kind: 'reject' });
}

/** A promise made in place that is returned rejects for the caller; a `try` around it does not see that. */
function isRejectedHere(b: Builder, value: Node): boolean {
  return (
    b.frames.length === 0 &&
    value.type === 'NewExpression' &&
    b.semantics.executorOf(value) !== null
  );
}

const settledTypes: ReadonlySet<string> = new Set([
  'Literal',
  'TemplateLiteral',
  'ObjectExpression',
  'ArrayExpression',
  'AwaitExpression',
  'BinaryExpression',
  'MemberExpression',
  'UnaryExpression',
]);

/** What a handler is called with has settled already, and what a chain written in place rejects with has left from the place that threw. */
function mayBePromise(b: Builder, value: Node, handler: FunctionNode): boolean {
  if (value.type === 'Identifier')
    return !handler.params.some(
      (param) => param.type === 'Identifier' && param.name === value.name,
    );
  if (value.type === 'CallExpression' && b.semantics.givesValue(value)) return false;
  return !settledTypes.has(value.type) && !isChain(value);
}

function buildIf(b: Builder, node: TSESTree.IfStatement): void {
  const { whenTrue, whenFalse } = buildCondition(b, node.test);
  b.ports = whenTrue;
  buildStatement(b, node.consequent);
  const afterThen = b.ports;
  b.ports = whenFalse;
  if (node.alternate !== null) buildStatement(b, node.alternate);
  b.ports = [...afterThen, ...b.ports];
}

function buildLabeled(
  b: Builder,
  node: TSESTree.LabeledStatement,
  labels: readonly string[],
): void {
  const all = [...labels, node.label.name];
  if (/^(?:For|While|DoWhile|Switch|Labeled)/u.test(node.body.type))
    return buildStatement(b, node.body, all);
  const frame: Frame = {
    kind: 'breakable',
    labels: all,
    takesPlainBreak: false,
    breaks: [],
    continueTo: null,
  };
  b.within(frame, () => buildStatement(b, node.body));
  b.ports = [...b.ports, ...frame.breaks];
}

function buildLoop(b: Builder, node: Loop, labels: readonly string[]): void {
  if (node.type === 'ForStatement' && node.init !== null) buildStatement(b, node.init);
  if (node.type === 'ForInStatement' || node.type === 'ForOfStatement')
    buildExpression(b, node.right);
  const head = b.append('join', null);
  const next = b.junction();
  const leaves: Port[] = node.type === 'DoWhileStatement' ? [] : buildLoopTest(b, node);
  const frame: Frame = {
    kind: 'breakable',
    labels,
    takesPlainBreak: true,
    breaks: [],
    continueTo: next,
  };
  b.within(frame, () => buildStatement(b, node.body));
  b.link(b.ports, next);
  b.ports = [{ from: next, when: 'next' }];
  if (node.type === 'ForStatement' && node.update !== null) buildExpression(b, node.update);
  if (node.type === 'DoWhileStatement') leaves.push(...buildLoopTest(b, node));
  b.link(b.ports, head);
  b.ports = [...leaves, ...frame.breaks];
}

/** Leaves the ports that enter the body, and gives those that leave the loop. */
function buildLoopTest(b: Builder, node: Loop): Port[] {
  if (node.type === 'ForInStatement' || node.type === 'ForOfStatement') {
    const isAwaited = node.type === 'ForOfStatement' && node.await;
    b.appendThrowing('eval', node, isAwaited ? 'yes' : 'no');
    const leaves = b.portsWhen('false');
    b.ports = b.portsWhen('true');
    const target =
      node.left.type === 'VariableDeclaration' ? node.left.declarations[0]?.id : node.left;
    if (target !== undefined) buildPatternBinding(b, target, node);
    return leaves;
  }
  if (node.test === null) return [];
  const { whenTrue, whenFalse } = buildCondition(b, node.test);
  b.ports = whenTrue;
  return whenFalse;
}

function buildSwitch(b: Builder, node: TSESTree.SwitchStatement, labels: readonly string[]): void {
  buildExpression(b, node.discriminant);
  const entries: Port[][] = [];
  let missed = b.ports;
  for (const { test } of node.cases) {
    if (test === null) {
      entries.push([]);
      continue;
    }
    b.ports = missed;
    buildExpression(b, test);
    b.append('join', null);
    entries.push(b.ports);
    missed = b.ports;
  }
  const frame: Frame = {
    kind: 'breakable',
    labels,
    takesPlainBreak: true,
    breaks: [],
    continueTo: null,
  };
  const byDefault = node.cases.findIndex(({ test }) => test === null);
  b.ports = [];
  b.within(frame, () => {
    node.cases.forEach((each, index) => {
      b.ports = [...b.ports, ...(index === byDefault ? missed : (entries[index] ?? []))];
      buildStatements(b, each.consequent);
    });
  });
  b.ports = [...b.ports, ...frame.breaks, ...(byDefault === -1 ? missed : [])];
}

function buildTry(b: Builder, node: TSESTree.TryStatement): void {
  const { finalizer } = node;
  if (finalizer === null) return buildTryCatch(b, node);
  buildWithFinally(
    b,
    () => buildTryCatch(b, node),
    () => buildStatement(b, finalizer),
  );
}

function buildTryCatch(b: Builder, node: TSESTree.TryStatement): void {
  const { handler } = node;
  if (handler === null) return buildStatement(b, node.block);
  buildWithCatch(
    b,
    () => buildStatement(b, node.block),
    () => {
      if (handler.param !== null) buildPatternBinding(b, handler.param, handler);
      buildStatement(b, handler.body);
    },
  );
}
