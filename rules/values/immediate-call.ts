import type { TSESTree } from '@typescript-eslint/types';
import { immediateCalls, immediateNames } from '../model/immediate-calls.ts';
import { calledName } from '../syntax/calls.ts';
import type { Node, CallNode } from '../syntax/node.ts';
import type { Resolver } from './resolver.ts';
import { unwrap, type SourceFile } from '../syntax/source-file.ts';

/** The callback that a call calls at once, and what it passes on to it. */
export interface CalledAtOnce {
  readonly callback: Node;
  readonly given: readonly TSESTree.CallExpressionArgument[];
}

/** `storage.run(client, work)`: of `AsyncLocalStorage`, by value, and the like. */
export function calledAtOnce(
  { callee, arguments: args }: CallNode,
  file: SourceFile,
  resolver: Resolver,
): CalledAtOnce | undefined {
  const method = calledName(callee);
  if (args.length === 0 || method === undefined || !immediateNames.has(method)) return undefined;
  const value = resolver.abstractValueOf(callee, file);
  const row =
    value?.kind === 'package'
      ? immediateCalls.find((each) => each.module === value.module && each.method === method)
      : undefined;
  const callback = row && args.at(row.callback === 'last' ? -1 : row.callback);
  return row === undefined || callback === undefined || callback.type === 'SpreadElement'
    ? undefined
    : { callback: unwrap(callback), given: args.slice(row.passesFrom) };
}

/** What a call calls: `work` of `work(client)`, and of `storage.run(client, work)`. */
export function calledBy(call: CallNode, file: SourceFile, resolver: Resolver): CalledAtOnce {
  return (
    calledAtOnce(call, file, resolver) ?? { callback: unwrap(call.callee), given: call.arguments }
  );
}
