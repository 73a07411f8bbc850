import type { TSESTree } from '@typescript-eslint/types';
import { isChain } from '../../flow/chains.ts';
import type { Node } from '../../flow/graph.ts';
import { callbackMethods, clientMethods, soundsLikeClient } from '../../model/client-names.ts';
import { isFunction } from './entities.ts';
import { oncePerFile } from '../files/once-per-file.ts';
import {
  memberName,
  parentOf,
  unwrap,
  variableOf,
  type SourceFile,
  type Variable,
} from '../files/source-file.ts';
import { useOf } from '../client/uses.ts';

/**
 * Which calls are worth asking what their callee is. The answer often lies in another file, which has to be parsed for it, so a
 * look at what the caller does with the result comes first: what is never queried, released or passed on is no client.
 */

/** The result may be a client that the caller has to release. A result that is merely returned is the matter of the function's own callers. */
export function mayGetClient(call: TSESTree.CallExpression, file: SourceFile): boolean {
  const use = useOf(call);
  switch (use.kind) {
    case 'receiver':
      return use.call === null && isThen(call) ? mayGoOn(call, file) : isClientMember(use.member);
    case 'bound':
      return (
        namesBound(call).some((name) => isUsedAsClient(name, file)) ||
        soundsLikeClient(calleeName(call))
      );
    case 'returned':
      return false;
    default:
      return soundsLikeClient(calleeName(call));
  }
}

/** A plain name or a method of `this`, whose function no other file has to be opened for, where the result stays in this function. */
export function isCalledHere(call: TSESTree.CallExpression): boolean {
  const callee = unwrap(call.callee);
  const isNear =
    callee.type === 'Identifier' ||
    (callee.type === 'MemberExpression' && callee.object.type === 'ThisExpression');
  return isNear && useOf(call).kind !== 'returned';
}

/** The result is what the function around gives back, at once or from a variable. */
export function isReturned(call: TSESTree.CallExpression, file: SourceFile): boolean {
  const { kind } = useOf(call);
  if (kind !== 'bound') return kind === 'returned';
  return namesBound(call)
    .flatMap(namesIn)
    .some((name) =>
      referencesTo(name, file).some((reference) => useOf(reference).kind === 'returned'),
    );
}

function referencesTo(name: Node, file: SourceFile): readonly Node[] {
  return (variableOf(file, name)?.references ?? []).map(
    ({ identifier }) => identifier as unknown as Node,
  );
}

/** A callback of the call, written in place, may be given a client, or run while one is held. */
export function mayLendClient(call: TSESTree.CallExpression, file: SourceFile): boolean {
  const callbacks = call.arguments.map(unwrap).filter(isFunction);
  if (
    callbacks.length === 0 ||
    (call.callee.type === 'MemberExpression' && callbackMethods.has(memberName(call.callee) ?? ''))
  )
    return false;
  return (
    soundsLikeClient(calleeName(call)) ||
    callbacks.some(({ params }) => params.some((param) => isUsedAsClient(param, file)))
  );
}

/** `a.b.c()`: all of it, because `pool.get()` speaks of a client as `getClient()` does. */
function calleeName({ callee }: TSESTree.CallExpression): string {
  const plain = unwrap(callee);
  if (plain.type === 'Identifier') return plain.name;
  if (plain.type !== 'MemberExpression') return '';
  const object = unwrap(plain.object);
  const owner =
    object.type === 'MemberExpression'
      ? memberName(object)
      : object.type === 'Identifier'
        ? object.name
        : '';
  return `${owner ?? ''}.${memberName(plain) ?? ''}`;
}

function isThen(call: Node): boolean {
  const chain = parentOf(parentOf(call) ?? call);
  return chain !== undefined && isChain(chain);
}

/** `getClient().then((client) => …)`, or a `catch` or `finally` behind which the client goes on. */
function mayGoOn(call: TSESTree.CallExpression, file: SourceFile): boolean {
  const chain = parentOf(parentOf(call) ?? call);
  if (chain?.type !== 'CallExpression') return true;
  const [handler] = chain.arguments;
  if (chain.callee.type === 'MemberExpression' && memberName(chain.callee) !== 'then')
    return mayGetClient(chain, file);
  return (
    handler === undefined ||
    !isFunction(handler) ||
    handler.params.some((param) => isUsedAsClient(param, file))
  );
}

/** The pattern that gets the result, without the wrappers between. */
function namesBound(call: Node): readonly Node[] {
  let node = call;
  for (let up = parentOf(node); up !== undefined; up = parentOf(node)) {
    if (up.type === 'VariableDeclarator') return [up.id];
    if (up.type === 'AssignmentExpression') return [up.left];
    node = up;
  }
  return [];
}

function isUsedAsClient(pattern: Node, file: SourceFile): boolean {
  return namesIn(pattern).some((name) => soundsLikeClient(name.name) || isNameOfClient(name, file));
}

const variablesUsed = oncePerFile(() => new Map<Variable, boolean>());

/** A variable that gets its value in many places is asked about at each. */
function isNameOfClient(name: TSESTree.Identifier, file: SourceFile): boolean {
  const variable = variableOf(file, name);
  if (variable === undefined) return false;
  const known = variablesUsed(file);
  const before = known.get(variable);
  if (before !== undefined) return before;
  const isUsed = referencesTo(name, file).some(isClientUse);
  known.set(variable, isUsed);
  return isUsed;
}

function namesIn(pattern: Node): readonly TSESTree.Identifier[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern];
    case 'AssignmentPattern':
      return namesIn(pattern.left);
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) =>
        property.type === 'Property' ? namesIn(property.value) : namesIn(property.argument),
      );
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) => (element === null ? [] : namesIn(element)));
    default:
      return [];
  }
}

/** `client.query`, `given.client.query`, `given.release` */
function isClientUse(reference: Node): boolean {
  let node = reference;
  for (
    let up = parentOf(node);
    up?.type === 'TSNonNullExpression' || up?.type === 'TSAsExpression';
    up = parentOf(node)
  )
    node = up;
  const up = parentOf(node);
  if (up?.type !== 'MemberExpression' || up.object !== node) return false;
  return isClientMember(memberName(up)) || isClientUse(up);
}

function isClientMember(name: string | undefined): boolean {
  return name === undefined ? false : clientMethods.has(name) || soundsLikeClient(name);
}

/** A cheap look at the text of a file: every function that gives or lends a client has such a word around it. */
export const mayCheckOut = oncePerFile(({ text }) =>
  /connect|client|pool|transaction|queryRunner/i.test(text),
);

/** Such a file, or one that only hands on what others export. */
export const mayLeadToCheckout = oncePerFile(
  (file) =>
    mayCheckOut(file) ||
    /\bexport\s*(?:type\s*)?(?:\*|\{[^{}]*\}\s*from\b)|\bmodule\.exports\s*=\s*require\b/.test(
      file.text,
    ),
);
