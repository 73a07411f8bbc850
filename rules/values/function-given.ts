import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from '../syntax/node.ts';
import { isFunction } from '../syntax/node.ts';
import { calledMember } from '../syntax/call-chain.ts';
import { isParameterName, restPassed } from '../syntax/parameters.ts';
import { unwrap, type SourceFile } from '../syntax/source-file.ts';
import type { AbstractValue } from './abstract-values.ts';
import type { Resolver } from './resolver.ts';

/** The callback among the arguments of a call. */
export interface CallbackGiven {
  /** Its index, or that of the spread which it is part of. */
  readonly index: number;
  /** What it is; undefined where the callers of the function around say. */
  readonly fn: (AbstractValue & { readonly kind: 'function' }) | undefined;
}

/** The argument that is a function; without one, the parameter whose type is that of one, else one of which nothing is known. */
export function callbackGiven(
  call: TSESTree.CallExpression,
  file: SourceFile,
  resolver: Resolver,
): CallbackGiven | undefined {
  const fns = call.arguments.map((argument) => functionGiven(argument, file, resolver));
  const known = fns.findIndex((fn) => fn !== undefined);
  const index = known === -1 ? parameterGiven(call, file, resolver) : known;
  return index === -1 ? undefined : { index, fn: fns[index] };
}

function parameterGiven(
  { arguments: args }: TSESTree.CallExpression,
  file: SourceFile,
  resolver: Resolver,
): number {
  const values = args.map((argument) =>
    isParameterName(unwrap(argument), file) ? resolver.abstractValueOf(argument, file) : null,
  );
  const typed = values.findIndex((value) => value?.kind === 'signature' || isCallable(value));
  return typed === -1
    ? values.findIndex(
        (value, index) =>
          value === undefined || restPassed(args[index] as Node, file) !== undefined,
      )
    : typed;
}

/** `interface Work { (tx: Transaction): Promise<void> }` */
function isCallable(value: AbstractValue | null | undefined): boolean {
  return (
    value?.kind === 'shape' &&
    value.node.type === 'TSInterfaceDeclaration' &&
    value.node.body.body.some(({ type }) => type === 'TSCallSignatureDeclaration')
  );
}

/** A function that is an argument: written in place, by its name, `this.work`, `this.work.bind(this)`. */
export function functionGiven(
  argument: Node,
  file: SourceFile,
  resolver: Resolver,
): (AbstractValue & { readonly kind: 'function' }) | undefined {
  const plain = unwrap(argument);
  if (isFunction(plain)) return { kind: 'function', node: plain, file };
  if (!isReference(plain)) return undefined;
  const value = resolver.abstractValueOf(plain, file);
  return value?.kind === 'function' ? value : undefined;
}

/** With further arguments, `bind` gives the function others than whoever calls it does. */
function isReference(node: Node): boolean {
  return node.type === 'CallExpression'
    ? calledMember(node) === 'bind' && node.arguments.length < 2
    : node.type === 'Identifier' || node.type === 'MemberExpression';
}
