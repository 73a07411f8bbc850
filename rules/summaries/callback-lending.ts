import type { TSESTree } from '@typescript-eslint/types';
import type { Driver } from '../model/drivers.ts';
import type { FunctionNode, Node, CallNode } from '../syntax/node.ts';
import { paramsOf } from '../syntax/parameters.ts';
import type { SourceFile } from '../syntax/source-file.ts';
import type { GivesBack } from '../typestate/acquisition.ts';
import type { Transaction } from '../typestate/protocols.ts';
import { leavesIt } from './gives-back.ts';
import type { LendingCall } from '../values/library-calls.ts';

/** A function calls one of its parameters while it holds a client, `withClient(callback)`, or to give it one, `getClient((error, client, done) => …)`. */
export interface CallbackLending {
  /** The index of the parameter that is called. */
  readonly parameter: number;
  /** Or a later one: `...args`. */
  readonly orLater?: boolean;
  /** The index of the argument that is the client; -1 when the callback does not get it. */
  readonly argument: number;
  /** The index of the argument that releases the client; -1 when there is none. */
  readonly release: number;
  /** The callback answers for the client. */
  readonly isGiven: boolean;
  readonly givesBack: GivesBack;
  readonly transaction: Transaction;
  readonly driver: Driver;
  /** The pool as the function's own source names it. */
  readonly poolText: string;
}

/** What the callback of a lend is among. */
export function argumentsFor(
  { arguments: args }: CallNode,
  { parameter, orLater }: CallbackLending,
): readonly TSESTree.CallExpressionArgument[] {
  return args.slice(parameter, orLater === true ? undefined : parameter + 1);
}

/** What a call of a library lends. */
export function lendingOf(
  call: CallNode,
  { handle, library, callback: index, opensTransaction, gives }: LendingCall,
  callback: FunctionNode | undefined,
  file: SourceFile,
): CallbackLending {
  return {
    parameter: index,
    argument: argumentOf(gives, callback),
    release: -1,
    isGiven: false,
    givesBack: leavesIt,
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
