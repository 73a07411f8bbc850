import type { TSESTree } from '@typescript-eslint/types';
import type { FunctionNode, Node } from '../flow/graph.ts';
import type { Acquisition } from './acquisitions.ts';
import type { Cells } from './cells.ts';
import type { Checkout } from './checkout.ts';
import { isFunction } from './entities.ts';
import { initialFact, type Fact } from './facts.ts';
import { bindParameter } from './parameters.ts';
import type { Resolver } from './resolver.ts';
import { unwrap, variableOf, walk, type SourceFile } from './source-file.ts';
import type { KnownFunction } from './summaries.ts';

/** A function calls one of its parameters while it holds a client: `withClient(callback)`. */
export interface Lend {
  /** The index of the parameter that is called. */
  readonly parameter: number;
  /** The index of the argument that is the client; -1 when the callback does not get it. */
  readonly argument: number;
  readonly inTransaction: boolean;
  /** The pool as the function's own source names it. */
  readonly poolText: string;
}

/** A callback that runs while the function that it is given to holds a client. */
export interface LentClient {
  readonly acquisition: Acquisition;
  readonly callback: FunctionNode;
  readonly lend: Lend;
}

/** The parameters that a function calls while one of the followed clients is held in it, or in a callback of it. */
export function lendsIn(checkouts: readonly Checkout[], fn: FunctionNode, file: SourceFile): readonly Lend[] {
  const lends = new Map<string, Lend>();
  for (const checkout of checkouts) {
    const { range } = checkout.graph.root;
    if (range[0] < fn.range[0] || range[1] > fn.range[1] || !checkout.exploration.isComplete) continue;
    for (const lend of lendsOfCheckout(checkout, fn, file)) lends.set(`${lend.parameter} ${lend.argument}`, lend);
  }
  return [...lends.values()];
}

function lendsOfCheckout(checkout: Checkout, fn: FunctionNode, file: SourceFile): readonly Lend[] {
  const lends: Lend[] = [];
  for (const state of checkout.exploration.states) {
    const { node, kind } = state.point;
    if (kind !== 'eval' || state.fact.status !== 'held' || node?.type !== 'CallExpression' || node.callee.type !== 'Identifier') continue;
    const parameter = parameterIndex(node.callee, fn, file);
    if (parameter === -1) continue;
    const argument = node.arguments.findIndex((each) => checkout.valueOf(each, state.fact) === 'client');
    lends.push({ parameter, argument, inTransaction: state.fact.inTransaction, poolText: checkout.acquisition.poolText });
  }
  return lends;
}

function parameterIndex(callee: TSESTree.Identifier, fn: FunctionNode, file: SourceFile): number {
  const variable = variableOf(file, callee);
  if (variable?.defs[0]?.type !== 'Parameter') return -1;
  return fn.params.findIndex((param) => (param.type === 'AssignmentPattern' ? param.left : param) === (variable.identifiers[0] as unknown as Node));
}

/** The callbacks of a file, written in place, that are given to functions which lend a client to them or hold one meanwhile. */
export function findLentClients(resolver: Resolver, lendsOf: (fn: KnownFunction) => readonly Lend[], file: SourceFile): readonly LentClient[] {
  const found: LentClient[] = [];
  walk(file, file.ast, (node) => {
    if (node.type === 'CallExpression' && node.arguments.some((argument) => isFunction(unwrap(argument)))) found.push(...lentAt(node, resolver, lendsOf, file));
    return true;
  });
  return found;
}

function lentAt(call: TSESTree.CallExpression, resolver: Resolver, lendsOf: (fn: KnownFunction) => readonly Lend[], file: SourceFile): readonly LentClient[] {
  const callee = resolver.entityOf(call.callee, file);
  if (callee?.kind !== 'function') return [];
  const acquisition: Acquisition = { call, style: 'lent', poolText: `${file.text.slice(...call.callee.range)}()` };
  return lendsOf(callee).flatMap((lend) => {
    const argument = call.arguments[lend.parameter];
    const callback = argument === undefined ? undefined : unwrap(argument);
    return callback !== undefined && isFunction(callback) ? [{ acquisition, callback, lend }] : [];
  });
}

/** What holds when the callback is called. */
export function lentFact({ callback, lend }: LentClient, cells: Cells): Fact {
  const start: Fact = { ...initialFact, status: 'held', inTransaction: lend.inTransaction };
  const param = callback.params[lend.argument];
  return param === undefined ? start : bindParameter(start, param, { value: 'client' }, cells);
}
