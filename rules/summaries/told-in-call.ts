import type { TSESTree } from '@typescript-eslint/types';
import { isFunction, type FunctionNode, type Node } from '../syntax/node.ts';
import { unwrap, type SourceFile } from '../syntax/source-file.ts';
import { isSameReference } from '../values/assigned.ts';
import { toldTo, type Told } from '../values/connection-given.ts';
import { servedBy, type Executor } from '../values/executor.ts';

/** Where a call stands that tells others of a connection. */
export interface Telling {
  readonly file: SourceFile;
  /** The function around the call, whose parameters may be handed on. */
  readonly fn: FunctionNode | undefined;
  /** Names that are known to hold nothing there. */
  readonly absent?: readonly Node[];
}

/** `User.query(given)` in the transaction of `given ?? (await knex.transaction())`: it is told of nothing. */
export function isAbsent(
  { node, key }: Told & { readonly kind: 'some' },
  { absent = [], file }: Telling,
): boolean {
  return key === undefined && absent.some((each) => isSameReference(each, node, file));
}

/** What of a function's parameters serves its caller in turn; undefined when the caller gives any of them. */
export function needUnless(
  executors: readonly Executor[],
  call: TSESTree.CallExpression,
  telling: Telling,
): readonly Executor[] | undefined {
  const { file, fn } = telling;
  const inTurn: Executor[] = [];
  for (const { index, key } of executors) {
    const argument = call.arguments[index];
    if (argument !== undefined && isFunction(unwrap(argument))) return undefined;
    const told = toldTo(call, { at: index, option: key ?? null }, file);
    if (told.kind !== 'some' || isAbsent(told, telling)) continue;
    const served = servedBy(told, fn, file);
    if (served === undefined) return undefined;
    inTurn.push(served);
  }
  return inTurn;
}
