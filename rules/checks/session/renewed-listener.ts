import type { TSESTree } from '@typescript-eslint/types';
import { methods } from '../../model/drivers.ts';
import { isFunction, type FunctionNode, type Node } from '../../syntax/node.ts';
import { walk } from '../../syntax/preorder.ts';
import {
  contains,
  memberName,
  parentOf,
  unwrap,
  variableOf,
  type Variable,
} from '../../syntax/source-file.ts';
import { callbackOf, namedCallbackOf } from '../../typestate/meaning.ts';
import { clientOf } from './pooled-clients.ts';
import type { SessionScene } from './state-call.ts';

const ends: ReadonlySet<unknown> = new Set(['error', 'end']);
const subscribing: ReadonlySet<string | undefined> = new Set(['on', 'once', 'addListener']);

/**
 * Whether the program takes another client when the connection of the one that listens ends: a listener of its 'error' or 'end' releases
 * the client, so that its place in the pool is free, and comes to the function around the LISTEN, to another checkout, or to code that nobody here knows.
 */
export function isRenewed(listen: TSESTree.CallExpression, scene: SessionScene): boolean {
  const client = clientOf(listen);
  const variable = client === undefined ? undefined : variableOf(scene.file, unwrap(client));
  return (variable?.references ?? []).some(({ identifier }) => {
    const listener = endListener(identifier as unknown as Node);
    return listener !== undefined && takesAnother(listener, variable, listen, scene);
  });
}

/** `client.on('error', listener)` */
function endListener(client: Node): Node | undefined {
  const member = parentOf(client);
  const call = member === undefined ? undefined : parentOf(member);
  if (
    member?.type !== 'MemberExpression' ||
    member.object !== client ||
    call?.type !== 'CallExpression' ||
    call.callee !== member ||
    !subscribing.has(memberName(member))
  )
    return undefined;
  const [event, listener] = call.arguments;
  return event?.type === 'Literal' && ends.has(event.value) ? listener : undefined;
}

function takesAnother(
  listener: Node,
  client: Variable | undefined,
  listen: TSESTree.CallExpression,
  scene: SessionScene,
): boolean {
  const functions = functionsBehind(listener, listen, scene);
  const isAround = (fn: FunctionNode): boolean => contains(fn, listen);
  const calls = functions.flatMap((fn) => (isAround(fn) ? [] : callsInside(fn, scene)));
  const isOnClient = (call: TSESTree.CallExpression, name: string): boolean =>
    call.callee.type === 'MemberExpression' &&
    memberName(call.callee) === name &&
    variableOf(scene.file, unwrap(call.callee.object)) === client;
  const isGivenBack = calls.some(
    (call) => isOnClient(call, methods.release) || isDone(call.callee, scene),
  );
  // A client that is ended instead keeps its place in the pool taken.
  return (
    isGivenBack &&
    !calls.some((call) => isOnClient(call, methods.end)) &&
    (functions.some(isAround) ||
      calls.some((call) => isCheckout(call, scene) || isUnknown(call.callee, client, scene)))
  );
}

/** The functions that a listener is, and those of the file that it calls or passes on, `setTimeout(start, 1000)`, up to the one around the LISTEN. */
function functionsBehind(
  listener: Node,
  listen: Node,
  scene: SessionScene,
): readonly FunctionNode[] {
  // The set grows while it is read: it is the worklist.
  const found = new Set(functionNamed(listener, scene));
  for (const fn of found)
    for (const { callee, arguments: args } of contains(fn, listen) ? [] : callsInside(fn, scene))
      for (const each of [callee, ...args].flatMap((node) => functionNamed(node, scene)))
        found.add(each);
  return [...found];
}

function functionNamed(node: Node, { file, resolver }: SessionScene): readonly FunctionNode[] {
  const plain = unwrap(node);
  if (isFunction(plain)) return [plain];
  const entity =
    plain.type === 'Identifier' || plain.type === 'MemberExpression'
      ? resolver.entityOf(plain, file)
      : undefined;
  return entity?.kind === 'function' && entity.file === file ? [entity.node] : [];
}

function callsInside(fn: FunctionNode, { file }: SessionScene): readonly TSESTree.CallExpression[] {
  const calls: TSESTree.CallExpression[] = [];
  walk(file, fn.body, (node) => {
    if (node.type === 'CallExpression') calls.push(node);
    return true;
  });
  return calls;
}

/** `done` of `pool.connect((error, client, done) => …)` */
function isDone(callee: Node, { file, checkouts }: SessionScene): boolean {
  const variable = callee.type === 'Identifier' ? variableOf(file, callee) : undefined;
  return checkouts.some(({ acquisition: { call, style } }) => {
    if (variable === undefined || style !== 'callback' || call.type !== 'CallExpression')
      return false;
    const done = (callbackOf(call) ?? namedCallbackOf(call, file))?.params[2];
    return variable.identifiers.some((name) => (name as unknown as Node) === done);
  });
}

function isCheckout(call: TSESTree.CallExpression, { checkouts }: SessionScene): boolean {
  return checkouts.some(({ acquisition }) => acquisition.call === call);
}

/** Code of which nothing is known, other than the runtime's and that of the client itself. */
function isUnknown(callee: Node, client: Variable | undefined, scene: SessionScene): boolean {
  if (scene.resolver.entityOf(callee, scene.file) !== undefined) {
    return functionNamed(callee, scene).length === 0;
  }
  let root = unwrap(callee);
  while (root.type === 'MemberExpression') root = unwrap(root.object);
  if (root.type !== 'Identifier') return true;
  const variable = variableOf(scene.file, root);
  return variable !== undefined && variable !== client && variable.defs.length > 0;
}
