import type { TSESTree } from '@typescript-eslint/types';
import type { State } from '../flow/explore.ts';
import { parameterIndex, paramsOf } from '../syntax/parameters.ts';
import { type FunctionNode, type Node, isFunction, type CallNode } from '../syntax/node.ts';
import type { Acquisition } from '../typestate/acquisition.ts';
import type { KnownFunction } from '../typestate/outcome.ts';
import type { AccessPaths } from '../typestate/access-paths.ts';
import { isHeld, type Checkout } from '../typestate/checkout.ts';
import { initialFact, type Fact, type Value } from '../typestate/facts.ts';
import { bindParameter } from '../typestate/parameters.ts';
import { calledThrough, type Called } from './called-through.ts';
import { givesBackIn, leavesIt } from './gives-back.ts';
import { placeOf } from '../values/apart.ts';
import { functionGiven } from '../values/function-given.ts';
import { enclosingHolding } from '../values/holding.ts';
import { lendingCall, type LendingCall } from '../values/library-calls.ts';
import type { Resolver } from '../values/resolver.ts';
import { walk } from '../syntax/preorder.ts';
import { argumentsFor, lendingOf, type CallbackLending } from './callback-lending.ts';
import { contains, unwrap, type SourceFile } from '../syntax/source-file.ts';

/** A callback that runs while the function that it is given to holds a client. */
export interface LentClient {
  readonly acquisition: Acquisition;
  readonly callback: FunctionNode;
  readonly callbackLending: CallbackLending;
}

/** The parameters that a function calls while one of the followed clients is held in it, or in a callback of it. */
export function lendingsIn(
  checkouts: readonly Checkout[],
  fn: FunctionNode,
  file: SourceFile,
  resolver: Resolver,
): readonly CallbackLending[] {
  const lends = new Map<string, CallbackLending>();
  for (const checkout of checkouts) {
    const { range } = checkout.graph.root;
    if (range[0] < fn.range[0] || range[1] > fn.range[1] || !checkout.exploration.isComplete)
      continue;
    for (const callbackLending of lendingsOfCheckout(checkout, fn, file, resolver))
      lends.set(`${callbackLending.parameter} ${callbackLending.argument}`, callbackLending);
  }
  return [...lends.values()];
}

function lendingsOfCheckout(
  checkout: Checkout,
  fn: FunctionNode,
  file: SourceFile,
  resolver: Resolver,
): readonly CallbackLending[] {
  const lends: CallbackLending[] = [];
  const givesBack = givesBackIn(checkout, fn, file);
  for (const state of checkout.exploration.states) {
    const { node, kind } = state.point;
    if (kind !== 'eval' || node?.type !== 'CallExpression') continue;
    for (const called of calledThrough(node, fn, file, resolver)) {
      const callbackLending = lendingFor(node, called, state, checkout, fn, file);
      if (callbackLending !== undefined) lends.push({ ...callbackLending, givesBack });
    }
  }
  return lends;
}

function lendingFor(
  call: CallNode,
  { callback, given }: Called,
  state: State<Fact>,
  checkout: Checkout,
  fn: FunctionNode,
  file: SourceFile,
): Omit<CallbackLending, 'givesBack'> | undefined {
  const { acquisition } = checkout;
  const isGiven =
    state.fact.status === 'escaped' && acquisition.style === 'callback' && isGivenIn(state, call);
  if (!isHeld(state.fact, acquisition) && !isGiven) return undefined;
  const parameter = callback.type === 'Identifier' ? parameterIndex(callback, fn, file) : -1;
  const indexOf = (value: Value): number =>
    given.findIndex((each) => each !== null && checkout.valueOf(each, state.fact) === value);
  const argument = indexOf('client');
  // Of what has the client by then, nobody here knows whether it has the callback use that.
  const isNeeded = isGiven || state.fact.status === 'escaped';
  if (parameter === -1 || (isNeeded && argument === -1)) return undefined;
  return {
    parameter,
    argument,
    release: indexOf('release'),
    isGiven,
    transaction: state.fact.transaction,
    driver: acquisition.driver,
    poolText: acquisition.poolText,
  };
}

/** The client was still held before the arguments of the call were evaluated: it is this call that hands it over. */
function isGivenIn(state: State<Fact>, call: CallNode): boolean {
  for (
    let each = state.from;
    each !== null && each.point.node !== null && contains(call, each.point.node);
    each = each.from
  ) {
    if (each.fact.status === 'held') return true;
  }
  return false;
}

/** The callbacks below a node, functions of its file, that are given to functions which lend a client to them or hold one meanwhile. */
export function findLentClients(
  resolver: Resolver,
  lendingsOf: (fn: KnownFunction) => readonly CallbackLending[],
  below: Node,
  file: SourceFile,
): readonly LentClient[] {
  const found: LentClient[] = [];
  walk(file, below, (node) => {
    if (node.type === 'CallExpression' && node.arguments.length > 0)
      found.push(...lentAt(node, resolver, lendingsOf, file));
    if (node.type === 'MethodDefinition') found.push(...lentToMethod(node.value, resolver, file));
    return true;
  });
  return found;
}

function lentAt(
  call: CallNode,
  resolver: Resolver,
  lendingsOf: (fn: KnownFunction) => readonly CallbackLending[],
  file: SourceFile,
): readonly LentClient[] {
  const byLibrary = lendingCall(call, file, resolver);
  if (byLibrary !== undefined) return lentByLibrary(call, byLibrary, file);
  const callee = resolver.near.abstractValueOf(call.callee, file);
  if (callee?.kind !== 'function') return [];
  const poolText = `${file.text.slice(...call.callee.range)}()`;
  return lendingsOf(callee).flatMap((callbackLending) => {
    const callback = callbackAt(call, callbackLending, file, resolver);
    return callback !== undefined
      ? [
          {
            acquisition: {
              call,
              style: callbackLending.isGiven ? 'callback' : 'lent',
              driver: callbackLending.driver,
              lender: callbackLending.givesBack,
              poolText,
            },
            callback,
            callbackLending,
          },
        ]
      : [];
  });
}

/** The function of this file that gets the client; a driver's own callback is written in place. */
function callbackAt(
  call: CallNode,
  callbackLending: CallbackLending,
  file: SourceFile,
  resolver: Resolver,
): FunctionNode | undefined {
  const given = argumentsFor(call, callbackLending)
    .filter((argument) => !callbackLending.isGiven || isFunction(unwrap(argument)))
    .map((argument) => functionGiven(argument, file, resolver))
    .find((fn) => fn !== undefined);
  return ofFile(given, file);
}

function ofFile(fn: KnownFunction | undefined, file: SourceFile): FunctionNode | undefined {
  return fn !== undefined && placeOf(fn).path === file.path ? fn.node : undefined;
}

/** `db.transaction(async (tx) => …)` */
function lentByLibrary(
  call: CallNode,
  lending: LendingCall,
  file: SourceFile,
): readonly LentClient[] {
  const callback = ofFile(lending.fn, file);
  const callbackLending = lendingOf(call, lending, callback, file);
  const { driver, poolText } = callbackLending;
  return callback === undefined
    ? []
    : [{ acquisition: { call, style: 'lent', driver, poolText }, callback, callbackLending }];
}

/** `@Transactional()` above a method: a connection is held while it runs. */
function lentToMethod(
  method: TSESTree.MethodDefinition['value'],
  resolver: Resolver,
  file: SourceFile,
): readonly LentClient[] {
  if (!isFunction(method)) return [];
  const holding = enclosingHolding(method, file, resolver);
  if (holding?.isHeld !== true) return [];
  const { call, library } = holding;
  const poolText = `@${file.text.slice(...call.callee.range)}()`;
  return [
    {
      acquisition: { call, style: 'lent', driver: library, poolText },
      callback: method,
      callbackLending: {
        parameter: -1,
        argument: -1,
        release: -1,
        isGiven: false,
        givesBack: leavesIt,
        transaction: 'open',
        driver: library,
        poolText,
      },
    },
  ];
}

/** What holds when the callback is called. */
export function lentFact(
  { callback, callbackLending }: LentClient,
  accessPaths: AccessPaths,
): Fact {
  const start: Fact = { ...initialFact, status: 'held', transaction: callbackLending.transaction };
  return paramsOf(callback).reduce((fact, param, index) => {
    const value =
      index === callbackLending.argument
        ? 'client'
        : index === callbackLending.release
          ? 'release'
          : callbackLending.isGiven && index === 0
            ? 'null'
            : undefined;
    return value === undefined ? fact : bindParameter(fact, param, { value }, accessPaths);
  }, start);
}
