import type { TSESTree } from '@typescript-eslint/types';
import { isFunction, type FunctionNode, type Node } from '../syntax/node.ts';
import { constantText, isNothing } from '../syntax/constants.ts';
import { keyName, unwrap, type SourceFile } from '../syntax/source-file.ts';
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

/** `User.query(given)` in the transaction of `given ?? (await knex.transaction())`: it learns of nothing. */
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
    if ((argument && isFunction(unwrap(argument))) || isText(partGiven(argument, key)))
      return undefined;
    const told = toldTo(call, { at: index, option: key ?? null }, file);
    if (told.kind !== 'some' || isAbsent(told, telling)) continue;
    const served = servedBy(told, fn, file);
    if (served === undefined) return undefined;
    inTurn.push(served);
  }
  return inTurn;
}

/** What of a function's parameters its caller must be given in turn for a branch to be taken; undefined when the call leaves one of them out. */
export function neededGiven(
  executors: readonly Executor[],
  call: TSESTree.CallExpression,
  telling: Telling,
): readonly Executor[] | undefined {
  const inTurn: Executor[] = [];
  for (const { index, key } of executors) {
    if (call.arguments.slice(0, index + 1).some(({ type }) => type === 'SpreadElement')) continue;
    const given = partGiven(call.arguments[index], key);
    if (given === 'nothing') return undefined;
    const served = given && servedBy(given, telling.fn, telling.file);
    if (served !== undefined) inTurn.push(served);
  }
  return inTurn;
}

/** What a call gives for a parameter, or for the member of one; undefined where that does not show. */
function partGiven(
  argument: Node | undefined,
  key: string | undefined,
): 'nothing' | { readonly node: Node; readonly key: string | undefined } | undefined {
  const plain = argument && unwrap(argument);
  if (plain === undefined || isOff(plain)) return 'nothing';
  if (key === undefined || plain.type !== 'ObjectExpression') return { node: plain, key };
  const named = plain.properties.map((each) =>
    each.type === 'Property' ? keyName(each.key, each.computed) : undefined,
  );
  if (named.includes(undefined)) return undefined;
  const property = plain.properties[named.lastIndexOf(key)];
  return property?.type === 'Property' ? partGiven(property.value, undefined) : 'nothing';
}

/** A text that says something. */
function isText(part: ReturnType<typeof partGiven>): boolean {
  return typeof part === 'object' && !!constantText(part.node) && part.key === undefined;
}

function isOff(node: Node): boolean {
  return isNothing(node) || (node.type === 'Literal' && !node.value);
}
