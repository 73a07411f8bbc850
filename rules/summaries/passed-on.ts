import { acquireNames } from '../model/drivers.ts';
import type { FunctionNode, Node, CallNode } from '../syntax/node.ts';
import { parameterIndex, restIndex } from '../syntax/parameters.ts';
import { walk } from '../syntax/preorder.ts';
import { memberName, unwrap, type SourceFile } from '../syntax/source-file.ts';
import type { KnownFunction } from '../typestate/outcome.ts';
import { lendingCall } from '../values/library-calls.ts';
import type { Resolver } from '../values/resolver.ts';
import { leavesIt } from './gives-back.ts';
import { argumentsFor, lendingOf, type CallbackLending } from './callback-lending.ts';

/** The callbacks that a function passes on to a driver, a library, or another function that lends to them. */
export function passedOn(
  fn: FunctionNode,
  resolver: Resolver,
  file: SourceFile,
  lendingsOf: (fn: KnownFunction) => readonly CallbackLending[],
): readonly CallbackLending[] {
  const lends: CallbackLending[] = [];
  walk(file, fn.body, (node) => {
    if (node.type === 'CallExpression')
      lends.push(
        ...passedToLibrary(node, fn, resolver, file),
        ...passedToDriver(node, fn, resolver, file),
        ...passedToFunction(node, fn, resolver, file, lendingsOf),
      );
    return true;
  });
  return lends;
}

/** `pool.connect(callback)`: the callback gets `(error, client, done)`. */
function passedToDriver(
  { callee, arguments: [callback] }: CallNode,
  fn: FunctionNode,
  resolver: Resolver,
  file: SourceFile,
): readonly CallbackLending[] {
  if (
    callback?.type !== 'Identifier' ||
    callee.type !== 'MemberExpression' ||
    !acquireNames.has(memberName(callee) ?? '')
  )
    return [];
  const parameter = parameterIndex(callback, fn, file);
  const pool = parameter === -1 ? undefined : resolver.abstractValueOf(callee.object, file);
  return pool?.kind === 'pool' && pool.driver.acquire === memberName(callee)
    ? [
        {
          parameter,
          argument: 1,
          release: 2,
          isGiven: true,
          givesBack: leavesIt,
          transaction: 'none',
          driver: pool.driver,
          poolText: file.text.slice(...callee.object.range),
        },
      ]
    : [];
}

/** `db.transaction(callback)`: the callback gets the transaction. */
function passedToLibrary(
  call: CallNode,
  fn: FunctionNode,
  resolver: Resolver,
  file: SourceFile,
): readonly CallbackLending[] {
  const lending = lendingCall(call, file, resolver);
  const passed = lending === undefined ? undefined : call.arguments[lending.callback];
  return lending === undefined
    ? []
    : passedAs(passed, lendingOf(call, lending, undefined, file), fn, file);
}

/** `inTransaction(callback)`, which calls it with a client or passes it on itself. */
function passedToFunction(
  call: CallNode,
  fn: FunctionNode,
  resolver: Resolver,
  file: SourceFile,
  lendingsOf: (fn: KnownFunction) => readonly CallbackLending[],
): readonly CallbackLending[] {
  if (!call.arguments.some((each) => positionOf(each, fn, file) !== undefined)) return [];
  const callee = resolver.near.abstractValueOf(call.callee, file);
  return callee?.kind !== 'function'
    ? []
    : lendingsOf(callee).flatMap((callbackLending) =>
        argumentsFor(call, callbackLending).flatMap((argument) =>
          passedAs(argument, callbackLending, fn, file),
        ),
      );
}

/** A lend to what a function passes on, as one to its own parameter. */
function passedAs(
  passed: Node | undefined,
  callbackLending: CallbackLending,
  fn: FunctionNode,
  file: SourceFile,
): readonly CallbackLending[] {
  const position = passed && positionOf(passed, fn, file);
  return position === undefined ? [] : [{ ...callbackLending, ...position }];
}

function positionOf(
  passed: Node,
  fn: FunctionNode,
  file: SourceFile,
): Pick<CallbackLending, 'parameter' | 'orLater'> | undefined {
  const rest = restIndex(passed, fn, file);
  const parameter = rest === -1 ? parameterIndex(unwrap(passed), fn, file) : rest;
  return parameter === -1 ? undefined : { parameter, orLater: rest !== -1 };
}
