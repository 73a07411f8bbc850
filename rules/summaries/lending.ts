import type { TSESTree } from '@typescript-eslint/types';
import type { State } from '../flow/explore.ts';
import { parameterIndex, paramsOf } from '../syntax/parameters.ts';
import { type FunctionNode, type Node, isFunction } from '../syntax/node.ts';
import { acquireNames, type Driver } from '../model/drivers.ts';
import type { Acquisition } from '../typestate/acquisition.ts';
import type { KnownFunction } from '../typestate/outcome.ts';
import type { Cells } from '../typestate/cells.ts';
import type { Checkout } from '../typestate/checkout.ts';
import { initialFact, type Fact, type Value } from '../typestate/facts.ts';
import type { Transaction } from '../typestate/protocols.ts';
import { bindParameter } from '../typestate/parameters.ts';
import { calledBy, type CalledAtOnce } from '../values/immediate-call.ts';
import { placeOf } from '../values/apart.ts';
import { functionGiven } from '../values/function-given.ts';
import { holdingAround } from '../values/holding.ts';
import { lendingCall, type LendingCall } from '../values/library-calls.ts';
import type { Resolver } from '../values/resolver.ts';
import { walk } from '../syntax/preorder.ts';
import { contains, memberName, unwrap, type SourceFile } from '../syntax/source-file.ts';

/** A function calls one of its parameters while it holds a client, `withClient(callback)`, or to give it one, `getClient((error, client, done) => …)`. */
export interface Lend {
  /** The index of the parameter that is called. */
  readonly parameter: number;
  /** The index of the argument that is the client; -1 when the callback does not get it. */
  readonly argument: number;
  /** The index of the argument that releases the client; -1 when there is none. */
  readonly release: number;
  /** The callback answers for the client. */
  readonly isGiven: boolean;
  readonly transaction: Transaction;
  readonly driver: Driver;
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
export function lendsIn(
  checkouts: readonly Checkout[],
  fn: FunctionNode,
  file: SourceFile,
  resolver: Resolver,
): readonly Lend[] {
  const lends = new Map<string, Lend>();
  for (const checkout of checkouts) {
    const { range } = checkout.graph.root;
    if (range[0] < fn.range[0] || range[1] > fn.range[1] || !checkout.exploration.isComplete)
      continue;
    for (const lend of lendsOfCheckout(checkout, fn, file, resolver))
      lends.set(`${lend.parameter} ${lend.argument}`, lend);
  }
  return [...lends.values()];
}

function lendsOfCheckout(
  checkout: Checkout,
  fn: FunctionNode,
  file: SourceFile,
  resolver: Resolver,
): readonly Lend[] {
  const lends: Lend[] = [];
  for (const state of checkout.exploration.states) {
    const { node, kind } = state.point;
    if (kind !== 'eval' || node?.type !== 'CallExpression') continue;
    const { callback, given } = calledBy(node, file, resolver);
    if (callback.type !== 'Identifier') continue;
    const lend = lendAt(node, { callback, given }, state, checkout, fn, file);
    if (lend !== undefined) lends.push(lend);
  }
  return lends;
}

function lendAt(
  call: TSESTree.CallExpression,
  { callback, given }: CalledAtOnce,
  state: State<Fact>,
  checkout: Checkout,
  fn: FunctionNode,
  file: SourceFile,
): Lend | undefined {
  const isGiven =
    state.fact.status === 'escaped' &&
    checkout.acquisition.style === 'callback' &&
    isGivenIn(state, call);
  if (state.fact.status !== 'held' && !isGiven) return undefined;
  const parameter = parameterIndex(callback, fn, file);
  const indexOf = (value: Value): number =>
    given.findIndex((each) => checkout.valueOf(each, state.fact) === value);
  const argument = indexOf('client');
  if (parameter === -1 || (isGiven && argument === -1)) return undefined;
  return {
    parameter,
    argument,
    release: indexOf('release'),
    isGiven,
    transaction: state.fact.transaction,
    driver: checkout.acquisition.driver,
    poolText: checkout.acquisition.poolText,
  };
}

/** The client was still held before the arguments of the call were evaluated: it is this call that hands it over. */
function isGivenIn(state: State<Fact>, call: TSESTree.CallExpression): boolean {
  for (
    let each = state.from;
    each !== null && each.point.node !== null && contains(call, each.point.node);
    each = each.from
  ) {
    if (each.fact.status === 'held') return true;
  }
  return false;
}

/** The callbacks that a function passes on to a driver or a library. */
export function passedOn(fn: FunctionNode, resolver: Resolver, file: SourceFile): readonly Lend[] {
  const lends: Lend[] = [];
  walk(file, fn.body, (node) => {
    if (node.type === 'CallExpression')
      lends.push(
        ...passedToLibrary(node, fn, resolver, file),
        ...passedToDriver(node, fn, resolver, file),
      );
    return true;
  });
  return lends;
}

/** `pool.connect(callback)`: the callback gets `(error, client, done)`. */
function passedToDriver(
  { callee, arguments: [callback] }: TSESTree.CallExpression,
  fn: FunctionNode,
  resolver: Resolver,
  file: SourceFile,
): readonly Lend[] {
  if (
    callback?.type !== 'Identifier' ||
    callee.type !== 'MemberExpression' ||
    !acquireNames.has(memberName(callee) ?? '')
  )
    return [];
  const parameter = parameterIndex(callback, fn, file);
  const pool = parameter === -1 ? undefined : resolver.entityOf(callee.object, file);
  return pool?.kind === 'pool' && pool.driver.acquire === memberName(callee)
    ? [
        {
          parameter,
          argument: 1,
          release: 2,
          isGiven: true,
          transaction: 'none',
          driver: pool.driver,
          poolText: file.text.slice(...callee.object.range),
        },
      ]
    : [];
}

/** `db.transaction(callback)`: the callback gets the transaction. */
function passedToLibrary(
  call: TSESTree.CallExpression,
  fn: FunctionNode,
  resolver: Resolver,
  file: SourceFile,
): readonly Lend[] {
  const lending = lendingCall(call, file, resolver);
  const passed = lending === undefined ? undefined : call.arguments[lending.callback];
  const parameter = passed === undefined ? -1 : parameterIndex(unwrap(passed), fn, file);
  return lending === undefined || parameter === -1
    ? []
    : [{ ...lendOf(call, lending, undefined, file), parameter }];
}

/** The callbacks below a node, functions of its file, that are given to functions which lend a client to them or hold one meanwhile. */
export function findLentClients(
  resolver: Resolver,
  lendsOf: (fn: KnownFunction) => readonly Lend[],
  below: Node,
  file: SourceFile,
): readonly LentClient[] {
  const found: LentClient[] = [];
  walk(file, below, (node) => {
    if (node.type === 'CallExpression' && node.arguments.length > 0)
      found.push(...lentAt(node, resolver, lendsOf, file));
    if (node.type === 'MethodDefinition') found.push(...lentToMethod(node.value, resolver, file));
    return true;
  });
  return found;
}

function lentAt(
  call: TSESTree.CallExpression,
  resolver: Resolver,
  lendsOf: (fn: KnownFunction) => readonly Lend[],
  file: SourceFile,
): readonly LentClient[] {
  const byLibrary = lendingCall(call, file, resolver);
  if (byLibrary !== undefined) return lentByLibrary(call, byLibrary, file);
  const callee = resolver.near.entityOf(call.callee, file);
  if (callee?.kind !== 'function') return [];
  const poolText = `${file.text.slice(...call.callee.range)}()`;
  return lendsOf(callee).flatMap((lend) => {
    const callback = callbackAt(call, lend, file, resolver);
    return callback !== undefined
      ? [
          {
            acquisition: {
              call,
              style: lend.isGiven ? 'callback' : 'lent',
              driver: lend.driver,
              poolText,
            },
            callback,
            lend,
          },
        ]
      : [];
  });
}

/** The function of this file that gets the client; a driver's own callback is written in place. */
function callbackAt(
  call: TSESTree.CallExpression,
  { parameter, isGiven }: Lend,
  file: SourceFile,
  resolver: Resolver,
): FunctionNode | undefined {
  const argument = call.arguments[parameter];
  if (argument === undefined || (isGiven && !isFunction(unwrap(argument)))) return undefined;
  return ofFile(functionGiven(argument, file, resolver), file);
}

function ofFile(fn: KnownFunction | undefined, file: SourceFile): FunctionNode | undefined {
  return fn !== undefined && placeOf(fn).path === file.path ? fn.node : undefined;
}

/** `db.transaction(async (tx) => …)` */
function lentByLibrary(
  call: TSESTree.CallExpression,
  lending: LendingCall,
  file: SourceFile,
): readonly LentClient[] {
  const callback = ofFile(lending.fn, file);
  const lend = lendOf(call, lending, callback, file);
  const { driver, poolText } = lend;
  return callback === undefined
    ? []
    : [{ acquisition: { call, style: 'lent', driver, poolText }, callback, lend }];
}

function lendOf(
  call: TSESTree.CallExpression,
  { handle, library, callback: index, opensTransaction, gives }: LendingCall,
  callback: FunctionNode | undefined,
  file: SourceFile,
): Lend {
  return {
    parameter: index,
    argument: argumentOf(gives, callback),
    release: -1,
    isGiven: false,
    transaction: opensTransaction ? 'open' : 'none',
    driver: library,
    poolText: textOf(handle === call ? call.callee : handle, file),
  };
}

function argumentOf(gives: LendingCall['gives'], callback: FunctionNode | undefined): number {
  if (gives === 'nothing') return -1;
  return gives === 'first' || callback === undefined ? 0 : paramsOf(callback).length - 1;
}

function textOf({ range }: Node, file: SourceFile): string {
  return file.text.slice(...range);
}

/** `@Transactional()` above a method: a connection is held while it runs. */
function lentToMethod(
  method: TSESTree.MethodDefinition['value'],
  resolver: Resolver,
  file: SourceFile,
): readonly LentClient[] {
  if (!isFunction(method)) return [];
  const holding = holdingAround(method, file, resolver);
  if (holding?.isHeld !== true) return [];
  const { call, library } = holding;
  const poolText = `@${file.text.slice(...call.callee.range)}()`;
  return [
    {
      acquisition: { call, style: 'lent', driver: library, poolText },
      callback: method,
      lend: {
        parameter: -1,
        argument: -1,
        release: -1,
        isGiven: false,
        transaction: 'open',
        driver: library,
        poolText,
      },
    },
  ];
}

/** What holds when the callback is called. */
export function lentFact({ callback, lend }: LentClient, cells: Cells): Fact {
  const start: Fact = { ...initialFact, status: 'held', transaction: lend.transaction };
  return paramsOf(callback).reduce((fact, param, index) => {
    const value =
      index === lend.argument
        ? 'client'
        : index === lend.release
          ? 'release'
          : lend.isGiven && index === 0
            ? 'null'
            : undefined;
    return value === undefined ? fact : bindParameter(fact, param, { value }, cells);
  }, start);
}
