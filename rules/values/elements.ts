import type { TSESTree } from '@typescript-eslint/types';
import { type FunctionNode, type Node, isFunction, type CallNode } from '../syntax/node.ts';
import { memberName, parentOf, type SourceFile } from '../syntax/source-file.ts';
import type { AbstractValue } from './abstract-values.ts';
import type { Resolver } from './resolver.ts';

/** Methods of a list whose callback gets one of its elements first. */
const perElement: ReadonlySet<string> = new Set(
  'map flatMap forEach filter find findLast some every'.split(' '),
);
/** Methods of a list that give a list of its elements. */
const listing: ReadonlySet<string> = new Set(
  'filter slice sort reverse toSorted toReversed splice'.split(' '),
);
/** Methods of a list that give one of its elements. */
const choosing: ReadonlySet<string> = new Set('find findLast at pop shift'.split(' '));

/** What a loop or a callback goes through: `for (const user of users)`, `users.map((user) => …)`. */
export function elementNamed(
  declared: Node,
  resolver: Resolver,
  file: SourceFile,
): AbstractValue | undefined {
  const list = listNamed(declared);
  return list && inList(resolver.abstractValueOf(list, file));
}

/** The list whose elements a declaration or a parameter stands for, one after the other. */
export function listNamed(declared: Node): Node | undefined {
  return declared.type === 'VariableDeclarator' ? loopedList(declared) : mappedList(declared);
}

/** The callback that a list calls for each of its elements. */
export function callbackPerElement({
  callee,
  arguments: [first],
}: CallNode): FunctionNode | undefined {
  return first !== undefined && isFunction(first) && perElement.has(memberName(callee) ?? '')
    ? first
    : undefined;
}

/** What a method of a list of objects gives: `users.filter(isOld)`, `users.find(isOld)`. */
export function givenByList(
  { callee }: CallNode,
  resolver: Resolver,
  file: SourceFile,
): AbstractValue | undefined {
  const name = memberName(callee);
  if (callee.type !== 'MemberExpression' || name === undefined) return undefined;
  if (!listing.has(name) && !choosing.has(name)) return undefined;
  const list = resolver.abstractValueOf(callee.object, file);
  if (list?.kind !== 'keeper') return undefined;
  return listing.has(name) ? list : list.of;
}

/** One of a list of objects. */
export function inList(list: AbstractValue | undefined): AbstractValue | undefined {
  return list?.kind === 'keeper' ? list.of : undefined;
}

function loopedList(declarator: TSESTree.VariableDeclarator): Node | undefined {
  const loop = declarator.parent.parent;
  return loop?.type === 'ForOfStatement' && loop.left === declarator.parent
    ? loop.right
    : undefined;
}

/** The parameter is the first one of a callback. */
function mappedList(parameter: Node): Node | undefined {
  const fn = parentOf(parameter);
  if (fn === undefined || !isFunction(fn) || fn.params[0] !== parameter) return undefined;
  const call = parentOf(fn);
  return call?.type === 'CallExpression' &&
    callbackPerElement(call) === fn &&
    call.callee.type === 'MemberExpression'
    ? call.callee.object
    : undefined;
}
