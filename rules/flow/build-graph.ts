import type { TSESTree } from '@typescript-eslint/types';
import { Builder, GraphTooLarge, type Inside, type CallSemantics } from './builder.ts';
import type { FunctionNode, Node } from '../syntax/node.ts';
import type { Graph } from './graph.ts';
import { buildReturn, buildStatements } from './statements.ts';
import { isNothing } from '../syntax/constants.ts';
import { isChain, type Chain } from '../syntax/chains.ts';
import { buildBody, buildExpression, buildPatternBinding, inlinable } from './expressions.ts';
import { parentOf } from '../syntax/source-file.ts';
import { buildWithCatch, buildWithFinally } from './guarded.ts';

const inside: Inside = { statements: buildStatements, returned: buildReturn, chain: buildChain };

/**
 * The control-flow graph of a function or of a file's top level, with an edge for every exception and a copy of each
 * finalizer for every way of leaving. Null when the function is too large to be known.
 */
export function buildGraph(
  root: FunctionNode | TSESTree.Program,
  semantics: CallSemantics,
): Graph | null {
  const builder = new Builder(semantics, inside, root);
  try {
    if (root.type === 'Program') buildStatements(builder, root.body);
    else if (root.body.type === 'BlockStatement') buildStatements(builder, root.body.body);
    else buildReturn(builder, root.body, root.body);
  } catch (problem) {
    if (problem instanceof GraphTooLarge || problem instanceof RangeError) return null;
    throw problem;
  }
  return builder.finish(root);
}

/** Builds the stages of a promise chain in the order in which they run. */
function buildChain(b: Builder, call: Chain): void {
  const before = call.callee.object;
  const [first, second] = call.arguments;
  switch (call.callee.property.name) {
    case 'catch':
      return buildWithCatch(
        b,
        () => passOn(b, before, call),
        () => buildHandler(b, first, null, call),
      );
    case 'finally':
      return buildWithFinally(
        b,
        () => passOn(b, before, call),
        () => buildHandler(b, first, null, null),
      );
    default:
      return buildThen(b, call, first, second);
  }
}

function buildThen(
  b: Builder,
  call: Chain,
  onFulfilled: Node | undefined,
  onRejected: Node | undefined,
): void {
  const before = call.callee.object;
  if (onRejected === undefined) {
    buildSettled(b, before);
    return buildHandler(b, onFulfilled, before, call);
  }
  // What `onFulfilled` throws does not reach `onRejected`, so only the settling stands inside the catch.
  let fulfilled = b.ports;
  buildWithCatch(
    b,
    () => {
      buildSettled(b, before);
      fulfilled = b.ports;
      b.ports = [];
    },
    () => buildHandler(b, onRejected, null, call),
  );
  const afterRejection = b.ports;
  b.ports = fulfilled;
  buildHandler(b, onFulfilled, before, call);
  b.ports = [...b.ports, ...afterRejection];
}

/** Evaluates a promise and waits for it. */
function buildSettled(b: Builder, node: Node): void {
  if (isChain(node)) return buildChain(b, node);
  buildExpression(b, node);
  b.appendThrowing('settle', node, 'yes');
}

function passOn(b: Builder, before: Node, call: Chain): void {
  buildSettled(b, before);
  b.append('bind', before, call);
}

/** Runs a handler with the value of `argument`; its own result becomes the value of `resultOf`. */
function buildHandler(
  b: Builder,
  handler: Node | undefined,
  argument: Node | null,
  resultOf: Node | null,
): void {
  const fn = handler === undefined ? null : functionIn(b, handler, argument === null);
  if (handler === undefined || isNothing(handler)) {
    if (argument !== null && resultOf !== null) b.append('bind', argument, resultOf);
  } else if (fn !== null) {
    b.inlined.add(handler);
    const [param] = fn.params;
    // A handler without a known argument gets a value that nothing is known of; the function itself stands for it.
    if (param !== undefined) buildPatternBinding(b, param, argument ?? fn);
    buildBody(b, fn, resultOf, true, parentOf(handler) ?? null);
  } else {
    b.inlined.add(handler);
    buildExpression(b, handler);
    b.appendThrowing('invoke', handler, b.semantics.throwsAsHandler(handler), argument);
  }
}

function functionIn(b: Builder, handler: Node, isOfFailure: boolean): FunctionNode | null {
  if (handler.type === 'ArrowFunctionExpression' || handler.type === 'FunctionExpression')
    return handler;
  const named = b.semantics.functionOf(handler);
  return inlinable(b, named ?? (isOfFailure ? b.semantics.handlerOf(handler) : null));
}
